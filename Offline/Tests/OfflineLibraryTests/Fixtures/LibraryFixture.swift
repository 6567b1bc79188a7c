// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsSQLite

@testable import OfflineModel

/// A library that an earlier version of the program wrote, with the files of the server.
struct LibraryFixture {
    /// The identifier of the boot in the registry.
    static let bootID = "00000000-0000-4000-8000-000000000000"
    /// The address of the server in the registry.
    static let address = "http://127.0.0.1:45491"

    /// The folder with the registry as SQL, the library's files, and the server's files.
    let folder: String

    /// Returns the fixture of a schema's version.
    init(version: Int) {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        folder = tests.path + "/Libraries/Version\(version)"
    }

    /// Copies the library into a folder, for items of another server.
    func write(into directory: LibraryDirectory, server: String = address) throws {
        try FileManager.default.copyItem(atPath: folder + "/library", toPath: directory.data)
        let text = try String(contentsOfFile: folder + "/registry.sql", encoding: .utf8)
            .replacing(Self.address, with: server)
        let connection = try SQLiteConnection(path: directory.registry, mode: .readWriteCreate)
        for statement in text.split(separator: ";\n") {
            try connection.execute(String(statement))
        }
    }
}
