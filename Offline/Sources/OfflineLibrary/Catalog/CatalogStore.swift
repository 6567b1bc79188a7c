// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFoundation
import TidingsResources

/// The stored copy of the catalog, which is valid only for the address of the load.
struct CatalogStore: ResourceStore {
    private let loader: CatalogLoader
    private let file: JSONFileStore<Catalog>

    init(_ path: String, _ loader: CatalogLoader) {
        self.loader = loader
        file = JSONFileStore(
            at: URL(filePath: path),
            byteLimit: CatalogLimits().storedBytes
        )
    }

    func read() async throws -> StoredCopy<Catalog>? {
        // A crash between a change of the address and the removal of the copy leaves an old copy.
        guard let copy = try await file.read(), copy.value.address == loader.address?.address
        else { return nil }
        return copy
    }

    func write(_ copy: StoredCopy<Catalog>) async throws { try await file.write(copy) }

    func remove() async throws { try await file.remove() }
}
