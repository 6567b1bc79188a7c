// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A collection was created, renamed, changed or removed, or lost an item that was removed.
package struct CollectionsChanged: Message, Hashable {
    /// Creates the message.
    package init() {}
}
