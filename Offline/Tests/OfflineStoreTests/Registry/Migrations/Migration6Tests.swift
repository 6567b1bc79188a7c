// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsSQLite

@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
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
        #expect(try registry.items.item(item)?.live == nil)
        #expect(try registry.downloads.recording(of: item).isEmpty)
    }

    @Test(arguments: [
        LiveRecording(), LiveRecording(seconds: 7_200), LiveRecording(seconds: 1, isOver: true),
    ])
    func aRecordingIsStored(live: LiveRecording) throws {
        try makeVersion5()
        let registry = try Registry(path: path)
        _ = try registry.update(item, nil, with: [.set(\.live, live)])
        #expect(try registry.items.item(item)?.live == live)
    }

    @Test func o25_partsAndTheirPositionAreStoredTogether() throws {
        try makeVersion5()
        let registry = try Registry(path: path)
        let part = Part(address: try WebAddress("http://example.org/p"), identity: "p", duration: 2)
        try registry.downloads.setRecording([LiveWindow(), LiveWindow()], of: item)
        let records = (0..<3).map { PartRecord(PartID(track: 1, number: $0), part) }
        try registry.downloads.append(records, LiveWindow(), toTrack: 1, of: item)
        #expect(try registry.downloads.parts(of: item) == records)
        #expect(try registry.downloads.recording(of: item) == [LiveWindow(), LiveWindow()])
        // A number that exists prevents the addition of all these parts.
        #expect(throws: SQLiteError.self) {
            try registry.downloads.append(
                [PartRecord(PartID(track: 1, number: 3), part), records[0]],
                LiveWindow(),
                toTrack: 1,
                of: item
            )
        }
        #expect(try registry.downloads.partCount(of: item) == 3)
        try registry.downloads.setRecording([], of: item)
        #expect(try registry.downloads.recording(of: item).isEmpty)
    }

    @Test func aDamagedPositionIsNamed() throws {
        try makeVersion5()
        let registry = try Registry(path: path)
        try registry.downloads.setRecording([LiveWindow()], of: item)
        let other = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try other.execute("UPDATE recordings SET position = '{'")
        let error = #expect(throws: SQLiteError.self) { try registry.downloads.recording(of: item) }
        #expect(error?.code == .corrupt)
    }
}
