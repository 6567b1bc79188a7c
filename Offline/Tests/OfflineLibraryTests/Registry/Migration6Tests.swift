// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsSQLite
import TidingsTestFixtures

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct Migration6Tests {
    private let path: String
    private let folder: TemporaryFolder
    private let item = ItemID(rawValue: 1)

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/registry.sqlite"
    }

    /// Creates a registry of version 5 with an item.
    private func makeVersion5() throws {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        for migration in Migration.all.prefix(5) { try migration.change(connection) }
        try connection.setUserVersion(5)
        try connection.execute(
            """
            INSERT INTO items (id, source, rendition, allows_private, title, state, created_at)
            VALUES (1, 'http://example.org/a', 'best', 0, 'A', 'queued', 0)
            """
        )
        connection.close()
    }

    @Test func o28_itemsOfVersion5AreNoRecordings() throws {
        try makeVersion5()
        let registry = try Registry(path: path)
        #expect(try registry.item(item)?.live == nil)
        #expect(try registry.recording(of: item).isEmpty)
    }

    @Test(arguments: [
        LiveRecording(), LiveRecording(seconds: 7_200), LiveRecording(seconds: 1, isOver: true),
    ])
    func aRecordingIsStored(live: LiveRecording) throws {
        try makeVersion5()
        let registry = try Registry(path: path)
        _ = try registry.update(item, nil, [.live(live)])
        #expect(try registry.item(item)?.live == live)
    }

    @Test func o25_partsAndTheirPositionAreStoredTogether() throws {
        try makeVersion5()
        let registry = try Registry(path: path)
        let part = Part(address: try WebAddress("http://example.org/p"), identity: "p", duration: 2)
        try registry.setRecording([LiveWindow(), LiveWindow()], of: item)
        let records = (0..<3).map { PartRecord(PartID(track: 1, number: $0), part) }
        try registry.append(records, LiveWindow(), toTrack: 1, of: item)
        #expect(try registry.parts(of: item) == records)
        #expect(try registry.recording(of: item) == [LiveWindow(), LiveWindow()])
        // The same number again adds none of them.
        #expect(throws: SQLiteError.self) {
            try registry.append(
                [PartRecord(PartID(track: 1, number: 3), part), records[0]],
                LiveWindow(),
                toTrack: 1,
                of: item
            )
        }
        #expect(try registry.partCount(of: item) == 3)
        try registry.setRecording([], of: item)
        #expect(try registry.recording(of: item).isEmpty)
    }

    @Test func aDamagedPositionIsNamed() throws {
        try makeVersion5()
        let registry = try Registry(path: path)
        try registry.setRecording([LiveWindow()], of: item)
        let other = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try other.execute("UPDATE recordings SET position = '{'")
        let error = #expect(throws: SQLiteError.self) { try registry.recording(of: item) }
        #expect(error?.code == .corrupt)
    }
}
