// SPDX-License-Identifier: Apache-2.0
import Tidings

struct Tick: Message {
    let number: Int
}

/// A message that is too large for the inline storage of an existential and contains a reference.
struct Letter: Message {
    let text: String
    let numbers: (Int, Int, Int, Int) = (1, 2, 3, 4)
}

final class Owner: Sendable {}

@inline(never)
func work(_ number: Int) {
    if number == .min { print("never") }
}
