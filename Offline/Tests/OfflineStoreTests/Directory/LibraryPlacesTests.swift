// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct LibraryPlacesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func standard(_ more: [String: String] = [:]) -> LibraryDirectory {
        .standard(environment: ["HOME": folder.path].merging(more) { $1 })
    }

    @Test func theStandardLibraryIsInTheFolderOfVideos() {
        #expect(standard().media == "\(folder.path)/Videos/Offline")
        #expect(standard().data == "\(folder.path)/.local/share/offline")
        #expect(standard(["XDG_DATA_HOME": "/data"]).data == "/data/offline")
        #expect(standard(["XDG_DATA_HOME": "data"]).data == "\(folder.path)/.local/share/offline")
    }

    @Test(
        arguments: [
            (#"XDG_VIDEOS_DIR="$HOME/Filme""#, "HOME/Filme/Offline"),
            (#" XDG_VIDEOS_DIR="/films" "#, "/films/Offline"),
            (#"XDG_VIDEOS_DIR="$HOME/""#, "HOME/Offline"),
            (#"#XDG_VIDEOS_DIR="/films""#, "HOME/Videos/Offline"),
            (#"XDG_VIDEOS_DIR="films""#, "HOME/Videos/Offline"),
            (#"XDG_VIDEOS_DIR="$(id)""#, "HOME/Videos/Offline"),
        ]
    )
    func theSettingsOfTheDesktopNameTheFolder(line: String, expected: String) throws {
        try SystemFile.makeFolder("\(folder.path)/.config")
        let text = "# folders\nXDG_MUSIC_DIR=\"$HOME/Music\"\n\(line)\n"
        try SystemFile.create("\(folder.path)/.config/user-dirs.dirs", content: Data(text.utf8))
        #expect(standard().media == expected.replacing("HOME", with: folder.path))
    }

    @Test func theDataOfAChosenFolderAreHiddenInIt() {
        let directory = LibraryDirectory.chosen(folder.path)
        #expect(directory.media == folder.path && directory.data == "\(folder.path)/.offline")
    }

    @Test func aFolderOfAnEarlierVersionKeepsItsPlaces() throws {
        try SystemFile.create("\(folder.path)/registry.sqlite", content: Data())
        let directory = LibraryDirectory.chosen(folder.path)
        #expect(directory.media == "\(folder.path)/media" && directory.data == folder.path)
    }
}
