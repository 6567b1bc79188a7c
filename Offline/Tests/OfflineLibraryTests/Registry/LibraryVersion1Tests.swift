// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsLock
import TidingsSQLite
import TidingsTestFixtures

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

/// Tests with the library that version 1.0.0 of the program wrote.
@Suite(.timeLimit(.minutes(15)))
struct LibraryVersion1Tests {
    private let fixture = LibraryFixture(version: 1)
    private let folder: TemporaryFolder
    private let directory: LibraryDirectory

    init() throws {
        folder = try TemporaryFolder()
        directory = LibraryDirectory(media: folder.path + "/media", data: folder.path + "/library")
    }

    private func id(_ number: Int64) -> ItemID { ItemID(rawValue: number) }

    /// Returns the rows of all tables as strings.
    private func content(of registry: Registry) throws -> [String: [String]] {
        try registry.connection.withLock { connection in
            var content: [String: [String]] = [:]
            for (table, columns) in try connection.columnsByTable() {
                let columns = columns.sorted()
                content[table] = try connection.rows("SELECT * FROM \(table)") {
                    row throws(SQLiteError) in
                    var values: [String] = []
                    for column in columns { values.append("\(column)=\(try row.value(column))") }
                    return values.joined(separator: " ")
                }
            }
            return content
        }
    }

    @Test func o28_everyItemIsAsRecorded() throws {
        try fixture.write(into: directory)
        let library = try Library(LibraryConfiguration(directory: directory))
        #expect(library.open.damage == nil)
        let items = try library.journal.items.items().reversed().map(\.self)
        #expect(items.map(\.id) == (1...8).map(id))
        #expect(
            items.map(\.state)
                == [.ready, .ready, .missing, .ready, .failed, .queued, .queued, .queued]
        )
        #expect(
            items.map(\.title)
                == ["notes", "film", "lost", "A talk", "gone", "s", "data", "later"]
        )
        let film = items[1]
        #expect(film.origin.text == LibraryFixture.address + "/film.mp4")
        #expect(film.hasPicture && SystemFile.exists(directory.picture(of: film.id)))
        #expect([film.width, film.height] == [64, 36] && film.duration == 2)
        #expect(film.createdAt == Date(timeIntervalSince1970: 1_795_330_851.08028507))
        for item in items where item.state == .ready {
            let path = try #require(library.path(of: item))
            #expect(SystemFile.size(of: path) == item.size)
        }
        #expect(items[3].origin == .imported("A talk.txt"))
        #expect(items[4].failure?.code == "status")
        #expect(items[7].choice.quality == .height(720) && items[7].allowsPrivateAddresses)
        let parts = try library.journal.downloads.parts(of: id(6))
        #expect(parts.map(\.id) == (0..<5).map { PartID(track: 0, number: $0) })
        #expect(parts.map(\.part.isInitialization) == [true, false, false, false, false])
        #expect(parts.map(\.fileName) == ["map", "0", "1", "2", "3"])
        #expect(parts.map(\.size) == [829, 1_402, 834, nil, nil])
        let transfer = try library.journal.downloads.transfer(of: id(7))
        #expect(transfer.totalBytes == 8_192 && transfer.bootID == LibraryFixture.bootID)
        #expect(SystemFile.names(in: directory.work) == ["6", "7"])
    }

    @Test func o28_finishedSegmentsAndBytesAreKept() async throws {
        let origin = try OriginServer()
        try fixture.write(into: directory, server: origin.base)
        try await origin.serve([
            "/s/": ["directory": .text(fixture.folder + "/origin")],
            // The tag names the version of the file in the registry.
            "/data.bin": [
                "file": .text(fixture.folder + "/origin/data.bin"),
                "etag": "\"18ea4be58ea58ed4-2000\"",
            ],
        ])
        let test = try TestLibrary(in: folder, origin: origin) {
            $0.directory = directory
            $0.bootID = LibraryFixture.bootID
        }
        let changes = test.library.messages.messages(of: ItemChanged.self).values
        await test.start()
        var unfinished: Set = [id(6), id(7), id(8)]
        for await change in changes {
            if [.ready, .failed].contains(change.item.state) { unfinished.remove(change.item.id) }
            if unfinished.isEmpty { break }
        }
        let log = try await origin.log()
        // The finished segments have no validator, so they are compared with new copies.
        let fetched = log.filter { $0.method == "GET" }
        #expect(
            Set(fetched.map(\.path)) == [
                "/s/stream.m3u8", "/s/init.mp4", "/s/part0.m4s", "/s/part1.m4s", "/s/part2.m4s",
                "/s/part3.m4s", "/data.bin", "/later.m3u8",
            ]
        )
        #expect(log.filter { $0.path == "/data.bin" }.map(\.range) == ["bytes=4096-"])
        #expect(try test.library.item(id(6)).state == .ready)
        #expect(try test.library.item(id(6)).duration == 4)
        let bytes = try Data(contentsOf: URL(filePath: fixture.folder + "/origin/data.bin"))
        #expect(try test.bytes(of: try test.library.item(id(7))) == bytes)
        await test.library.stop()
    }

    @Test func o28_aFurtherStepChangesOnlyItsTableAndKeepsACopy() throws {
        try fixture.write(into: directory)
        let before = try Registry(path: directory.registry)
        let old = try content(of: before)
        before.close()
        let further = Migration([
            "ALTER TABLE preferences ADD COLUMN changed_at REAL",
            "UPDATE preferences SET changed_at = 7",
        ])
        let opener = RegistryOpener(directory: directory, migrations: Migration.all + [further])
        let (registry, damage) = try opener.open { $0 }
        #expect(damage == nil)
        var new = try content(of: registry)
        let preferences = new.removeValue(forKey: "preferences") ?? []
        #expect(preferences.count == 2)
        #expect(preferences.allSatisfy { $0.contains("changed_at=real(7") })
        #expect(new == old.filter { $0.key != "preferences" })
        let copy = "\(directory.data)/registry-\(Migration.all.count).sqlite"
        #expect(try content(of: Registry(path: copy, mode: .readOnly)) == old)
    }

    @Test func o28_importRestoresTheFilesOfADamagedRegistry() async throws {
        try fixture.write(into: directory)
        try Data("no database".utf8).write(to: URL(filePath: directory.registry))
        let library = try Library(LibraryConfiguration(directory: directory))
        let damage = try #require(library.open.damage)
        #expect(SystemFile.names(in: RegistryFiles.work(of: damage.path)) == ["6", "7"])
        #expect(try library.journal.items.items().isEmpty)
        let report = try await library.refresh(RefreshOptions(importFiles: true))
        #expect(report.problems.isEmpty && report.orphans.isEmpty)
        #expect(report.imported.map(\.title) == ["1", "2", "4"])
        // The numbers 1 to 4 belong to files of the damaged registry.
        #expect(report.imported.map(\.id) == [id(5), id(6), id(7)])
        library.importWork.start()
        await library.importWork.end()
        let film = try library.item(id(6))
        #expect(film.duration == 2 && film.width == 64 && film.hasPicture)
        #expect(SystemFile.exists(directory.picture(of: film.id)))
        let bytes = try Data(contentsOf: URL(filePath: fixture.folder + "/library/media/2.mp4"))
        let path = try #require(library.path(of: film))
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        await library.stop()
    }
}
