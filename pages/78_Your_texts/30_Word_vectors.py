"""What do your own word vectors say?

Load a word2vec, GloVe, fastText or gensim file: every page about words then offers it, in this tab only.
"""

import streamlit as st

from nlpviz.ui import frame, limits
from nlpviz.ui.words import own_vectors

with frame.controls():
    count = own_vectors.pick_count()
own_vectors.ask_for_file(count)
st.header("Loaded in this tab", anchor=False)
own_vectors.show_kept()

with frame.how_to_read():
    st.markdown(
        f"""
Supported formats: **word2vec binary** and **text** (with a header line: number of words and dimensions), **fastText's
.vec**, gensim's `KeyedVectors.save_word2vec_format`, and **GloVe text** (no header line); text files may be gzipped.
The format is detected from the file's content. Pickles such as gensim's own `.model` and `.kv` are refused, because
loading one can run any code in it.

If a word occurs twice, its first vector is kept. The order of the file is taken as the order of frequency, which is how
these programs write it; the file has no counts. A damaged file is refused, with the line where the problem is.

At most {own_vectors.MOST} files and {limits.most_tab_bytes() >> 20} MiB are kept, in memory. They survive a reload of
the tab, until the server stops or other tabs load files of their own; nothing is written to disk except an upload while
it is being read. A link to a page never shows your vectors to anyone else. A path is read only while the server listens
to this machine alone (127.0.0.1). Numbers are kept in single precision: a direction of length 1, and a length.
"""
    )
