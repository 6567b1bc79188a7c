// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Tidings
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineModel

/// A catalog on an origin server, and libraries that load it.
enum CatalogFixture {
    static let lessons = #"""
        {"format":1,"title":"French","groups":[{"title":"First steps","lessons":[
          {"id":"1","title":"Bonjour","audio":"1.bin","text":"1.txt"},
          {"id":"2","title":"Au revoir","video":"2.bin"},
          {"id":"3","title":"Nothing"}]}]}
        """#

    /// Returns a library and an origin that serves this catalog at `/french/all.json`.
    ///
    /// This function is not inlined, because inlining it into a test crashes the optimizer of Swift
    /// 6.3.1. The same applies to `choose`.
    @inline(never)
    static func library(
        in folder: TemporaryFolder? = nil,
        origin: OriginServer? = nil,
        _ route: JSON? = ["text": .text(lessons)],
        configure: (inout LibraryConfiguration) -> Void = { _ in }
    ) async throws -> TestLibrary {
        let test = try TestLibrary(in: folder, origin: origin, configure: configure)
        if let route { try await test.origin.serve(["/french/all.json": route]) }
        return test
    }
}

extension TestLibrary {
    var catalog: CatalogSource { library.catalog }

    /// Chooses the origin's catalog and returns the state after the catalog has loaded or failed.
    @discardableResult @inline(never)
    func choose(_ path: String = "/french/all.json") async throws -> LoadState<Catalog> {
        await start()
        try catalog.setAddress(
            CatalogAddress(try origin.address(path), allowsPrivateAddresses: true)
        )
        return await catalog.settled()
    }
}

extension CatalogSource {
    /// Returns the state after the current load has ended.
    func settled() async -> LoadState<Catalog> {
        for await state in publisher.states.values {
            switch state {
            case .loaded, .error: return state
            case .unknown, .loading: continue
            }
        }
        return publisher.state
    }
}

extension LoadState<Catalog> {
    /// The code of the error, or nil in any other state.
    var failureCode: String? { error.map { ItemFailure(catalog: $0).code } }
}
