// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A collection was made, renamed, changed or removed, or one of its items was removed.
package struct CollectionsChanged: Message, Hashable {}
