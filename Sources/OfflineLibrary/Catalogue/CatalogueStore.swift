// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFoundation

/// The stored copy of the catalogue, which counts only for the address it came from.
struct CatalogueStore: ResourceStore {
    private let place: CataloguePlace
    private let file: JSONFileStore<Catalogue>

    init(_ path: String, _ place: CataloguePlace) {
        self.place = place
        file = JSONFileStore(
            at: URL(filePath: path),
            byteLimit: CatalogueLimits().storedBytes
        )
    }

    func read() async throws -> Catalogue? {
        // A kill between a change of address and the removal leaves the copy of another one.
        guard let catalogue = try await file.read(), catalogue.address == place.address?.address
        else { return nil }
        return catalogue
    }

    func write(_ catalogue: Catalogue) async throws { try await file.write(catalogue) }

    func remove() async throws { try await file.remove() }
}
