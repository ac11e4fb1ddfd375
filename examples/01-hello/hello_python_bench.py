from derny import bench

words = [f"word{i}" for i in range(100)]


@bench
def join():
    return " ".join(words)


@bench
def concatenate():
    text = words[0]
    for word in words[1:]:
        text += " " + word
    return text
