// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Tidings
import TidingsDiagnostics
import TidingsFoundation
import TidingsTesting

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct CatalogueStoreTests {
    /// Starts a library whose stored copy is `content` and whose catalogue answers 404.
    ///
    /// - Returns: What was told of the store, what was recorded, and the library's files.
    private func start(
        with content: String,
        _ route: JSON = ["status": 404, "text": ""]
    ) async throws -> (code: String, reported: String?, names: [String], shown: Catalogue?) {
        let first = try await CatalogueFixture.library()
        try await first.choose()
        await first.library.stop()
        let path = first.library.directory.catalogue
        try Data(content.utf8).write(to: URL(filePath: path))
        let test = try await CatalogueFixture.library(in: first.folder, origin: first.origin, route)
        let reports = try LibraryReports(test.library.directory, .errors)
        reports.follow(test.library)
        let failures = MessageRecorder(CatalogueStoreFailed.self, on: test.library.messages)
        await test.start()
        _ = await test.catalogue.settled()
        let error = try #require(try await failures.next().error as? JSONFileStoreError)
        await test.library.stop()
        return (
            error.code.description,
            await reports.all().first?.errors.first?.code,
            Disk.names(in: test.library.directory.path).filter { $0.hasPrefix("catalogue") }
                .sorted(),
            test.catalogue.publisher.lastData
        )
    }

    @Test func aTornCopyIsSetAsideAndRecorded() async throws {
        let end = try await start(with: #"{"version":1,"value":{"address":"htt"#)
        #expect(end.code == "damaged")
        #expect(end.reported == "damaged")
        #expect(end.names == ["catalogue.json.damaged"])
        #expect(end.shown == nil)
    }

    @Test func aCopyOfANewerVersionIsKeptBesideTheNewOne() async throws {
        let newer = #"{"version":2,"value":"from the future"}"#
        let end = try await start(with: newer, ["text": .text(CatalogueFixture.lessons)])
        #expect(end.code == "newerVersion")
        #expect(end.reported == "newerVersion")
        #expect(end.names == ["catalogue.json", "catalogue.json.version-2"])
        #expect(end.shown?.title == "French")
    }

    @Test func aCopyThatCannotBeWrittenCostsOnlyTheCopy() async throws {
        let test = try await CatalogueFixture.library()
        let failures = MessageRecorder(CatalogueStoreFailed.self, on: test.library.messages)
        try FileManager.default.createDirectory(
            atPath: test.library.directory.catalogue + "/in/the/way",
            withIntermediateDirectories: true
        )
        #expect(try await test.choose().data?.title == "French")
        let codes = try await failures.first(3).map { ($0.error as? JSONFileStoreError)?.code }
        #expect(codes == [.notWritable, .notReadable, .notWritable])
        await test.library.stop()
    }
}
