// SPDX-License-Identifier: Apache-2.0
import Tidings

struct Tick: Message {
    let number: Int
}

/// What every handler does.
@inline(never)
func work(_ number: Int) {
    if number == .min { print("never") }
}
