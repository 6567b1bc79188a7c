// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsFoundation
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineLibrary
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct CatalogStoreTests {
    /// Starts a library whose stored copy is `content` and whose origin serves `route`.
    ///
    /// - Returns: The code of the store's error, the names of the catalog files, and the catalog
    ///   in memory.
    private func start(
        with content: String,
        _ route: JSON = ["status": 404, "text": ""]
    ) async throws -> (code: String, names: [String], shown: Catalog?) {
        let first = try await CatalogFixture.library()
        try await first.choose()
        await first.library.stop()
        let path = first.library.directory.catalog
        try Data(content.utf8).write(to: URL(filePath: path))
        let test = try await CatalogFixture.library(in: first.folder, origin: first.origin, route)
        let failures = MessageRecorder(CatalogStoreFailed.self, on: test.library.messages)
        await test.start()
        _ = await test.catalog.settled()
        let error = try #require(try await failures.next().error as? JSONFileStoreError)
        await test.library.stop()
        return (
            error.code.description,
            SystemFile.names(in: test.library.directory.data).filter { $0.hasPrefix("catalog") }
                .sorted(),
            test.catalog.publisher.lastData
        )
    }

    @Test func aTruncatedCopyIsSetAside() async throws {
        let end = try await start(with: #"{"version":1,"value":{"address":"htt"#)
        #expect(end.code == "damaged")
        #expect(end.names == ["catalogue.json.damaged"])
        #expect(end.shown == nil)
    }

    @Test func aCopyOfANewerVersionIsKeptBesideTheNewOne() async throws {
        let newer = #"{"version":2,"value":"from the future"}"#
        let end = try await start(with: newer, ["text": .text(CatalogFixture.lessons)])
        #expect(end.code == "newerVersion")
        #expect(end.names == ["catalogue.json", "catalogue.json.version-2"])
        #expect(end.shown?.title == "French")
    }

    @Test func aFailureToWriteTheCopyDoesNotAffectTheCatalog() async throws {
        let test = try await CatalogFixture.library()
        let failures = MessageRecorder(CatalogStoreFailed.self, on: test.library.messages)
        try FileManager.default.createDirectory(
            atPath: test.library.directory.catalog + "/in/the/way",
            withIntermediateDirectories: true
        )
        #expect(try await test.choose().value?.title == "French")
        let codes = try await failures.first(3).map { ($0.error as? JSONFileStoreError)?.code }
        #expect(codes == [.notWritable, .notReadable, .notWritable])
        await test.library.stop()
    }
}
