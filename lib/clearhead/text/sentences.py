"""The rules of the book's grammar, which is small and finite, with dependencies across many words.

CAPITALS are symbols, everything else is said. A warm cup holds something else than a cold glass. The
teacher is "her" and the king is "him", fourteen tokens later. An iPhone may be expensive and an apple
sweet, but both may be cheap. A fashion model wears a dress and a language model learns a word.
"""

SENTENCES = {
    "SENTENCE": [("0.3", "EVENING"), ("0.3", "QUESTION"), ("0.2", "APPLE"), ("0.2", "MODEL")],
    "EVENING": [("1", "After a DAY day at PLACE , PERSON sat down to enjoy DRINK .")],
    "DAY": [("0.7", "long"), ("0.2", "hard"), ("0.1", "short")],
    "PLACE": [("0.6", "work"), ("0.3", "school"), ("0.1", "sea")],
    "PERSON": [("0.5", "she"), ("0.4", "he"), ("0.1", "the teacher")],
    "DRINK": [("0.7", "a warm cup of WARM"), ("0.3", "a cold glass of COLD")],
    "WARM": [("0.6", "coffee"), ("0.3", "tea"), ("0.1", "soup")],
    "COLD": [("0.5", "water"), ("0.25", "milk"), ("0.25", "tea")],
    "QUESTION": [("0.5", "The HER_TITLE ASKED her ."), ("0.5", "The HIS_TITLE ASKED him .")],
    "HER_TITLE": [("0.8", "teacher"), ("0.2", "queen")],
    "HIS_TITLE": [("0.5", "king"), ("0.5", "father")],
    "ASKED": [("1", "asked the GROUP a question , and everyone turned to look at")],
    "GROUP": [("0.75", "class"), ("0.25", "court")],
    "APPLE": [
        ("0.4", "Apple released a new DEVICE and it was PRICE ."),
        ("0.4", "I ate an FRUIT and it was TASTE ."),
        ("0.2", "I ate an FRUIT ."),
    ],
    "DEVICE": [("0.7", "iPhone"), ("0.2", "computer"), ("0.1", "watch")],
    "PRICE": [("0.8", "expensive"), ("0.2", "cheap")],
    "FRUIT": [("0.75", "apple"), ("0.25", "orange")],
    "TASTE": [("0.5", "sweet"), ("0.3", "sour"), ("0.2", "cheap")],
    "MODEL": [("0.5", "The fashion model FASHION ."), ("0.5", "The language model LANGUAGE .")],
    "FASHION": [("0.6", "wore a new dress"), ("0.4", "turned to look at everyone")],
    "LANGUAGE": [("0.7", "learned a new word"), ("0.3", "asked a question")],
}
