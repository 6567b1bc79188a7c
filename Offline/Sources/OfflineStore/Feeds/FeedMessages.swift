// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The list of followed feeds or the state of one feed has changed.
package struct FeedsChanged: Message, Hashable {
    /// Creates the message.
    package init() {}
}
