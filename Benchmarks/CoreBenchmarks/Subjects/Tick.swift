// SPDX-License-Identifier: Apache-2.0
import Tidings

struct Tick: Message {
    let number: Int
}

/// The work of every handler.
@inline(never)
func work(_ number: Int) {
    if number == .min { print("never") }
}
