// SPDX-License-Identifier: Apache-2.0
import Observation
import Tidings

/// Compiles only while no public type of the core is named like a module.
@Observable final class Cart {
    var items: [String] = []
    @ObservationIgnored private let bag = ObservationBag()

    @MainActor func follow(_ center: MessageCenter) {
        let added = center.messages(of: ItemAdded.self)
        added.cancel()
    }
}

struct ItemAdded: Message {
    let name: String
}
