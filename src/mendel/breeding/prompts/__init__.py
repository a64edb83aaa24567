"""From a parent to a question for a model: what is ours in our words, what candidates wrote as delimited data (rule 5).

::

    from mendel.breeding.prompts.inputs import MutationPrompt
    from mendel.breeding.prompts.mutation import mutation_messages

    asked = mutation_messages(MutationPrompt(language="Python", files={"sort.py": text}, form="diff"))

Our words come from the Jinja templates in ``templates/``; a folder of the user's may hold others of the same names,
which a run keeps, so that it goes on in the words it began with.
Sources and cases are never given to a template: each is a message of its own. Answers are text in one of three forms,
which :mod:`mendel.breeding.patches` reads; what it complains about goes back through the gateway's own repair.
"""
