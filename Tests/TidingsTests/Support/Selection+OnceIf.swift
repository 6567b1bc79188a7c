// SPDX-License-Identifier: Apache-2.0
import Tidings

extension Selection {
    /// The selection with the option `once` if a test asks for it.
    func once(if isOnce: Bool) -> Selection { isOnce ? once() : self }
}
