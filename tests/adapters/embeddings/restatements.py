"""Thirty-two ideas, four to a subject, and each said again in other words. Written before anything was measured."""

from typing import Final

PAIRS: Final = (
    (
        "Paint the roofs of the old town white, so that flats under them stay cool without machines.",
        "Give historic buildings a bright coating on top; it reflects the sun, and residents need no air conditioning.",
    ),
    (
        "Let the old town's trams carry parcels at night, when they would otherwise stand still.",
        "Use idle rail vehicles after dark to deliver packages through the historic centre.",
    ),
    (
        "Charge drivers a fee that rises with how crowded the street is at that moment.",
        "A toll that depends on current congestion should be paid by whoever takes a car.",
    ),
    (
        "Turn every second parking space on the old town's streets into a bed for trees.",
        "Half of the room where cars are left today could hold greenery instead.",
    ),
    (
        "Farmers could sow clover between the rows of maize, to keep weeds down without spraying.",
        "Growing a low legume as an undercrop suppresses unwanted plants, and makes herbicides needless in corn.",
    ),
    (
        "Farmers could listen to their fields with cheap microphones, and learn from insect noise when pests arrive.",
        "Low-cost acoustic sensors hear harmful bugs early, and tell growers that an infestation begins.",
    ),
    (
        "Breed maize for short roots in wet regions and for deep roots in dry ones, from one common ancestor.",
        "From a single line, select corn varieties whose below-ground depth matches the local rainfall.",
    ),
    (
        "Pay farmers for the water that their soil holds back in a storm, measured by the river below.",
        "Growers should earn money for flood protection, according to how much runoff their land retains.",
    ),
    (
        "Cache the answers of the database for one second, so that a rush of equal questions costs one query.",
        "Short-lived memoisation collapses bursts of identical requests into a single trip to storage.",
    ),
    (
        "Split the database by customer, so that a noisy one slows nobody but itself.",
        "Give each tenant a shard of its own; heavy users then cannot hurt the others.",
    ),
    (
        "Write every change of the database to a log first, and build all tables from it.",
        "An append-only record of events is the source of truth, and views are derived by folding it.",
    ),
    (
        "Ask the database for a plan before each query, and refuse those that would read too much.",
        "Estimate the cost of a statement up front, and reject expensive scans.",
    ),
    (
        "Teach fractions by cutting real cakes, and let pupils argue about who got more.",
        "Children understand parts of a whole better when they divide food and debate fairness.",
    ),
    (
        "Let pupils mark each other's essays before the teacher does, and grade the marking.",
        "Students first assess the writing of their classmates, and are judged on how well they assess.",
    ),
    (
        "Start school an hour later in winter, because pupils learn little before it is light.",
        "Delaying the morning bell during dark months improves how much youngsters take in.",
    ),
    (
        "Have older pupils teach one lesson a week to younger ones, and both will know more.",
        "Peer tutoring across grades, once every seven days, benefits tutors and tutees alike.",
    ),
    (
        "Store summer heat in a pit of gravel under the hospital, and warm the wards with it in winter.",
        "Seasonal thermal storage below a clinic keeps patients comfortable during the cold months.",
    ),
    (
        "Test the hospital's waste water each morning, to see an outbreak before patients fall ill.",
        "Daily sewage surveillance at a clinic reveals infections ahead of the first symptoms.",
    ),
    (
        "Send a nurse home with each patient for an hour, to move carpets and lamps that cause falls.",
        "A professional visits after discharge and removes tripping hazards from the dwelling.",
    ),
    (
        "Let patients book the empty last-minute slots of the hospital by telephone message.",
        "Cancelled appointments are offered through texts, so that somebody waiting can fill them.",
    ),
    (
        "Put sails on freight ships again, stiff ones that turn by themselves, to save a tenth of the fuel.",
        "Automatic rigid wings let cargo vessels use the wind and burn ten per cent less oil.",
    ),
    (
        "Coat the hulls of freight ships with a skin like a shark's, on which nothing can grow.",
        "A biomimetic surface texture prevents barnacles and algae from settling on vessels.",
    ),
    (
        "Slow all freight ships down when the harbour is full, instead of letting them race and wait.",
        "Vessels should reduce speed if no berth is free, rather than hurry and then lie at anchor.",
    ),
    (
        "Give freight ships electric power from land, so that engines are off while they load.",
        "Plugging vessels into the grid at the quay makes it possible to shut down diesel generators in port.",
    ),
    (
        "Rank books in the library by how often readers came back to them, not by how often they were lent.",
        "Measure a title's worth through repeat borrowing by the same person instead of total loans.",
    ),
    (
        "Let the library lend tools and sewing machines beside books, with a volunteer who shows how they work.",
        "Public collections could circulate equipment too, and helpers would instruct the borrowers.",
    ),
    (
        "Open the library through the night with a card at the door, and nobody at the desk.",
        "Unstaffed access around the clock is possible if members unlock the entrance themselves.",
    ),
    (
        "Read aloud in the library each evening one chapter of a book that the town votes for.",
        "Citizens choose a novel, and instalments of it are performed daily at a public session.",
    ),
    (
        "Print spare parts in the shop where the machine broke, from a drawing that its maker sells.",
        "Manufacturers license blueprints, and customers produce replacement components on site.",
    ),
    (
        "Rent machines by the hour that they really run, so that the maker has a reason to build them to last.",
        "Usage-based leasing makes durability pay for whoever manufactures the equipment.",
    ),
    (
        "Listen to machines with a microphone, and replace a bearing before it fails.",
        "Acoustic monitoring predicts wear, so that components are swapped ahead of a breakdown.",
    ),
    (
        "Mark every machine with the energy it took to make, as food is marked with what is in it.",
        "A label should declare the embodied consumption of equipment, similar to nutrition facts.",
    ),
)
"""Four in a row are about one subject and share words that say little about the idea."""
