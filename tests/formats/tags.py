"""Tags of blocks."""

from aes import IMAGE_TAG, TAG
from field import words


def written_tag(key, engine, block, counter, data):
    return mask(key, data, key.upper(TAG, engine, block, counter))


def image_tag(static, engine, block, image_blocks, data):
    return mask(static, data, static.upper(IMAGE_TAG, engine, block, image_blocks))


def mask(key, data, encrypted):
    return key.points[0].hash(words(data)) ^ encrypted or 1
