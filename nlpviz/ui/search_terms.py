"""What people type into the palette to find a view: the field's other names for what it shows."""

from __future__ import annotations

_NAMES = {
    ("Overview", ""): "home|start",
    ("Tours", ""): "guided stories|lesson",
    ("Explore", "map"): "t-SNE|UMAP|PCA|projection|scatter plot|document embeddings|clusters",
    ("Explore", "training-dynamics"): "label noise|mislabelled reviews|forgetting|data maps|cartography|hard examples",
    ("Explore", "drift"): "seed noise|random seeds|stability",
    ("Explore", "disagreement"): "ensemble|model agreement",
    ("One review", "saliency"): (
        "my own review|type my review|own text|explanation|attribution|feature importance|integrated gradients"
        "|gradient × input|SHAP|LIME|interpretability"
    ),
    ("One review", "methods-compared"): "faithfulness|comprehensiveness|sufficiency|SHAP|LIME",
    ("One review", "n-grams"): "phrases|bigrams|regions",
    ("One review", "network"): "architecture|diagram|convolution|forward pass|CNN",
    ("One review", "attention"): "heatmap|heat map|self-attention|transformer|heads|HAN",
    ("One review", "time-machine"): "epochs|playback|learning over time|history",
    ("One review", "influence"): "training examples|data attribution|TracIn|similar reviews",
    ("One review", "edit"): "counterfactual|flip a prediction|what if|adversarial|HotFlip|change a word",
    ("Inside the model", "filters"): "convolution|feature detectors|kernels",
    ("Inside the model", "top-n-grams"): "most important words|global explanation",
    ("Inside the model", "linear-weights"): "logistic regression|naive Bayes|bag of words|NBSVM|baseline",
    ("Inside the model", "calibration"): "reliability diagram|expected calibration error|ECE|confidence|overconfidence",
    ("Inside the model", "behaviours"): "CheckList|robustness|behavioural tests|unit tests",
    ("Inside the model", "retrained-without"): "ROAR|ablation",
    ("Recurrent networks", "gates"): "LSTM|GRU|forget gate|cell state|recurrent network|RNN",
    ("Recurrent networks", "memory"): "vanishing gradients|exploding gradients|long-term dependencies",
    ("Recurrent networks", "states"): "hidden state|trajectory|attractors",
    ("Recurrent networks", "units"): "neurons|sentiment neuron|probing",
    ("Trees", "one-sentence"): "parse tree|Tree-LSTM|recursive network|sentiment treebank|SST",
    ("Toy tasks", "tape"): "neural Turing machine|NTM|external memory|copying",
    ("Training", "optimisers"): "optimizers|SGD|Adam|momentum|gradient descent",
    ("Training", "learning-rate"): "schedule|warm-up|early stopping|step size",
    ("Training", "real-loss"): "loss landscape|loss surface",
    ("Training", "babysitting"): "dead ReLU|initialisation|gradient norms|activations by layer",
    ("Training", "backpropagation"): "backprop|chain rule|computational graph",
    ("Training", "choices"): "activation function|dropout|hyperparameters",
    ("Translate", "alignment"): "seq2seq|encoder-decoder|machine translation",
    ("Translate", "beam"): "beam search|greedy decoding",
    ("Translate", "bleu"): "translation quality|translation evaluation",
    ("Language models", "surprisal"): "reading difficulty|garden path",
    ("Language models", "next-word"): "autocomplete|entropy|predict the next word|GPT",
    ("Language models", "sampling"): "temperature|top-k|top-p|nucleus|generate text|text generation",
    ("Language models", "perplexity"): "cross-entropy|held-out loss",
    ("Captions", "scenes"): "image captioning|visual attention",
    ("Words", "neighbours"): "word2vec|GloVe|skip-gram|word embeddings|similar words|synonyms|nearest neighbors",
    ("Words", "analogies"): "word arithmetic|relations between words",
    ("Words", "similarity"): "cosine",
    ("Words", "axes"): "bias|gender|stereotypes|semantic direction",
    ("Autoencoders", "map"): "autoencoder|VAE|latent space",
    ("Autoencoders", "walk"): "interpolation",
    ("Autoencoders", "topics"): "topic model|LDA",
    ("Autoencoders", "collapse"): "posterior collapse|KL term",
    ("Models", "card"): "model card|data sheet",
    ("Models", "training"): "overfitting|underfitting|learning curves|loss curves|validation",
    ("Models", "compare"): "leaderboard|accuracy|significance|all models|benchmark",
    ("Your texts", "train"): "upload|CSV|own data|fine-tune",
}  # fmt: skip


def also_called(page: str, view: str = "") -> str:
    """Return other names of a view, with bars between them; empty for none.

    Args:
        page: its name in the menu.
        view: its name in the address; empty of a page that is a single view.
    """
    return _NAMES.get((page, view), "")
