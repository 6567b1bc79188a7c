// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineLibrary
import OfflineMedia
import OfflineModel
import Testing
import TidingsHTTP
import TidingsSQLite

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct ConnectionTests {
    @Test func followEndsEvenIfTheFailureCannotBeRecorded() async throws {
        let folder = NSTemporaryDirectory() + "offline-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let directory = LibraryDirectory(path: folder)
        let configuration = LibraryConfiguration(directory: directory)
        let library = Connection.here(try Library(configuration))
        // A private address is refused before a request is sent.
        let address = try WebAddress("http://127.0.0.1:9/a")
        let item = try await library.call(
            API.items.download,
            DownloadOrder(DownloadRequest(.address(address)))
        )
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
