"""The words that pass phrases are made of: common nouns of five to nine letters, none of which is part of another."""

from __future__ import annotations

from typing import Final

__all__ = ["WORDS"]

_NOUNS: Final = """
acorn airport almond amber anchor ankle antenna apple apricot april apron artist atlas attic autumn avenue
badger bakery balcony balloon bamboo banana bandage banjo barrel basil basket beacon beaver bedroom beetle bicycle
biscuit blanket blossom bonfire border bottle boulder bracelet branch breeze bridge broccoli broom bubble bucket
buffalo bundle butter button cabbage cabin cactus camel camera canal candle canoe canvas canyon captain caravan
caravel carpet carrot cashew castle cedar celery cello cement chalk chapel cheese cherry chestnut chicken chimney
chisel cider cinema cinnamon circus clarinet cliff clock closet cloud clover cobbler coconut coffee collar comet
compass copper coral corner cottage cotton cousin cricket crocus crystal cupboard curtain cushion cyclist daisy
dancer dentist desert diamond dinner doctor dolphin donkey dragon drawer drummer eagle eclipse elbow elephant
emerald engine envelope evening fabric falcon farmer feather fence ferry fiddle finger firefly flannel flower flute
forest fossil fountain freckle fridge galaxy gallery garage garden garlic gazelle geyser ginger giraffe glacier
glove goblet gondola goose gorilla grape gravel guitar hammer hammock harbor harvest hazel hedgehog helmet heron
hickory holiday honey horizon hornet hostel hotel husky iceberg igloo insect island ivory jacket jaguar jasmine
jelly jersey jewel jigsaw jockey jungle juniper kangaroo kettle keyboard kitchen kitten koala ladder ladle lagoon
lantern laurel lavender leather lemon leopard lettuce library lilac linen lizard llama lobster locket lumber
magnet magpie mango maple marble market mattress meadow medal melon meteor minnow mirror mitten monkey morning
mosaic mosquito mountain muffin museum mushroom mustard napkin needle nephew nickel noodle notebook nutmeg oasis
ocean octopus olive omelet onion orange orchard orchid ostrich otter oyster paddle palace pancake panda panther
papaya parade parcel parrot parsley pasture peacock peanut pebble pelican pencil penguin pepper piano pickle
picnic pigeon pillow pilot pirate planet plateau platform pocket poppy postcard potato prairie pretzel
prism puddle pumpkin puppet puzzle pyramid quarry quartz quilt rabbit raccoon radish railway rainbow raisin
raspberry raven recipe reptile ribbon river robin rocket rooster rosemary saddle saffron sailor salad salmon
sandal sandwich sapphire sardine saucer sausage scarf school scissors seagull seaweed shadow shelf sherbet shoulder
shovel sister skeleton slipper snail soldier sparrow spider spinach sponge spoon squirrel stadium station statue
stocking street suitcase summer sunset sweater swimmer tailor tangerine teapot temple tennis thimble thistle
thunder ticket tiger timber toaster tobacco tomato tornado tortoise tractor trumpet tulip tunnel turkey turnip
turtle umbrella uncle unicorn valley vanilla velvet village vinegar violin volcano voyage waffle wagon walnut
walrus weasel wedding whale whistle willow window winter wizard wombat yogurt zebra zeppelin
"""

WORDS: Final = tuple(_NOUNS.split())
