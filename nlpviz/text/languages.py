"""What people call languages, by their codes (ISO 639-1), and what they are called where nobody named them."""

from __future__ import annotations

import re
from collections.abc import Mapping

UNNAMED = ("source", "target")
"""The languages of pairs of which nobody said in which they are."""

_NAMES = """
aa Afar, ab Abkhazian, ae Avestan, af Afrikaans, ak Akan, am Amharic, an Aragonese, ar Arabic, as Assamese, av Avaric,
ay Aymara, az Azerbaijani, ba Bashkir, be Belarusian, bg Bulgarian, bi Bislama, bm Bambara, bn Bengali, bo Tibetan,
br Breton, bs Bosnian, ca Catalan, ce Chechen, ch Chamorro, co Corsican, cr Cree, cs Czech, cu Church Slavonic,
cv Chuvash, cy Welsh, da Danish, de German, dv Divehi, dz Dzongkha, ee Ewe, el Greek, en English, eo Esperanto,
es Spanish, et Estonian, eu Basque, fa Persian, ff Fulah, fi Finnish, fj Fijian, fo Faroese, fr French,
fy Western Frisian, ga Irish, gd Scottish Gaelic, gl Galician, gn Guarani, gu Gujarati, gv Manx, ha Hausa, he Hebrew,
hi Hindi, ho Hiri Motu, hr Croatian, ht Haitian Creole, hu Hungarian, hy Armenian, hz Herero, ia Interlingua,
id Indonesian, ie Interlingue, ig Igbo, ii Sichuan Yi, ik Inupiaq, io Ido, is Icelandic, it Italian, iu Inuktitut,
ja Japanese, jv Javanese, ka Georgian, kg Kongo, ki Kikuyu, kj Kuanyama, kk Kazakh, kl Greenlandic, km Khmer,
kn Kannada, ko Korean, kr Kanuri, ks Kashmiri, ku Kurdish, kv Komi, kw Cornish, ky Kyrgyz, la Latin, lb Luxembourgish,
lg Ganda, li Limburgish, ln Lingala, lo Lao, lt Lithuanian, lu Luba-Katanga, lv Latvian, mg Malagasy, mh Marshallese,
mi Māori, mk Macedonian, ml Malayalam, mn Mongolian, mr Marathi, ms Malay, mt Maltese, my Burmese, na Nauru,
nb Norwegian Bokmål, nd North Ndebele, ne Nepali, ng Ndonga, nl Dutch, nn Norwegian Nynorsk, no Norwegian,
nr South Ndebele, nv Navajo, ny Chichewa, oc Occitan, oj Ojibwa, om Oromo, or Odia, os Ossetian, pa Punjabi, pi Pali,
pl Polish, ps Pashto, pt Portuguese, qu Quechua, rm Romansh, rn Rundi, ro Romanian, ru Russian, rw Kinyarwanda,
sa Sanskrit, sc Sardinian, sd Sindhi, se Northern Sami, sg Sango, si Sinhala, sk Slovak, sl Slovenian, sm Samoan,
sn Shona, so Somali, sq Albanian, sr Serbian, ss Swati, st Southern Sotho, su Sundanese, sv Swedish, sw Swahili,
ta Tamil, te Telugu, tg Tajik, th Thai, ti Tigrinya, tk Turkmen, tl Tagalog, tn Tswana, to Tongan, tr Turkish,
ts Tsonga, tt Tatar, tw Twi, ty Tahitian, ug Uyghur, uk Ukrainian, ur Urdu, uz Uzbek, ve Venda, vi Vietnamese,
vo Volapük, wa Walloon, wo Wolof, xh Xhosa, yi Yiddish, yo Yoruba, za Zhuang, zh Chinese, zu Zulu
"""
NAMES: Mapping[str, str] = dict(entry.strip().split(" ", 1) for entry in _NAMES.replace("\n", " ").split(","))
"""Code -> name."""

_CODES = {name.casefold(): code for code, name in NAMES.items()}
_REGION = re.compile(r"([a-z]{2})[-_](?:[A-Z]{2}|[A-Z][a-z]{3})")  # pt-BR, zh_Hans


def code_of(name: str) -> str:
    """Return the code of a language by its code, whatever its case, or by its English name; ``""`` for none.

    A code may name a region or a script, as in ``"pt-BR"``, and keeps it.
    """
    name = name.strip()
    if (low := name.casefold()) in NAMES:
        return low
    if (region := _REGION.fullmatch(name)) and region[1] in NAMES:
        return name.replace("_", "-")
    return _CODES.get(low, "")


def title(language: str) -> str:
    """Return what people call a language: ``"English"``, ``"Portuguese (pt-BR)"``; of no known one what it is called.

    Args:
        language: a code, or what a person calls it.
    """
    if (region := _REGION.fullmatch(language)) and region[1] in NAMES:
        return f"{NAMES[region[1]]} ({language})"
    return NAMES.get(language, language)


def within(language: str) -> str:
    """Return a language's title to follow on "in": one that nobody named is ``"the source language"``."""
    return f"the {language} language" if language in UNNAMED else title(language)


def pair_title(source: str, target: str) -> str:
    """Return what people call two languages: ``"English to French"``, or ``"Source to target"``."""
    said = f"{title(source)} to {title(target)}"
    return said[:1].upper() + said[1:]
