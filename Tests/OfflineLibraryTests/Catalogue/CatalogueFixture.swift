// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Tidings

@testable import OfflineLibrary

/// Catalogues of an origin server, and libraries that load them.
enum CatalogueFixture {
    static let lessons = #"""
        {"format":1,"title":"French","groups":[{"title":"First steps","lessons":[
          {"id":"1","title":"Bonjour","audio":"1.bin","text":"1.txt"},
          {"id":"2","title":"Au revoir","video":"2.bin"},
          {"id":"3","title":"Nothing"}]}]}
        """#

    /// A served library with this catalogue at `/french/all.json`.
    ///
    /// Inlined into a test it crashes the optimizer of Swift 6.3.1, as `choose` does.
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
    var catalogue: CatalogueSource { library.catalogue }

    /// Chooses the origin's catalogue and returns what became of it.
    @discardableResult @inline(never)
    func choose(_ path: String = "/french/all.json") async throws -> LoadState<Catalogue> {
        await start()
        try catalogue.setAddress(
            CatalogueAddress(try origin.address(path), allowsPrivateAddresses: true)
        )
        return await catalogue.settled()
    }
}

extension CatalogueSource {
    /// The state once nothing loads any more.
    func settled() async -> LoadState<Catalogue> {
        for await state in publisher.states {
            switch state {
            case .loaded, .error: return state
            case .unknown, .loading: continue
            }
        }
        return publisher.state
    }
}

extension LoadState<Catalogue> {
    /// The code of the failure that this state is.
    var failureCode: String? { error.map { ItemFailure(catalogue: $0).code } }
}
