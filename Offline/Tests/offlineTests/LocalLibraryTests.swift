// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import Testing
import TidingsHTTP
import TidingsSQLite

@testable import offline

@Suite(.timeLimit(.minutes(5)))
struct LocalLibraryTests {
    @Test func followEndsEvenIfTheFailureCannotBeRecorded() async throws {
        let folder = NSTemporaryDirectory() + "offline-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let directory = LibraryDirectory(path: folder)
        let configuration = LibraryConfiguration(directory: directory)
        let library = LocalLibrary(try Library(configuration), reports: nil)
        // A private address is refused before a request is sent.
        let address = try WebAddress("http://127.0.0.1:9/a")
        let item = try await library.enqueue(DownloadRequest(.address(address)))
        let registry = try SQLiteConnection(path: directory.registry, mode: .readWriteCreate)
        try registry.execute(
            """
            CREATE TRIGGER refusal BEFORE UPDATE ON items
            BEGIN SELECT RAISE(FAIL, 'refused by the test'); END
            """
        )
        let ends = try await library.follow([item.id]) { _ in }
        #expect(ends.map(\.state) == [.failed])
        #expect(ends.first?.error?.code == "database")
        await library.stop()
    }
}
