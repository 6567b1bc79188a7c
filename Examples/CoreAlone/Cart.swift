// SPDX-License-Identifier: Apache-2.0
import Observation
import Tidings

/// A class that compiles only if no public type of the core has the name of a module.
@Observable final class Cart {
    var items: [String] = []
    @ObservationIgnored private let bag = ObservationBag()

    @MainActor func follow(_ center: MessageCenter) {
        let added = center.messages(of: ItemAdded.self).values
        added.cancel()
    }
}

struct ItemAdded: Message {
    let name: String
}
