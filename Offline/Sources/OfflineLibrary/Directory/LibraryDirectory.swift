// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TidingsFiles

/// The paths of a library's files.
///
/// The names consist of fixed words, identifiers and cleaned titles, never of other text from a
/// server. The registry returns only the names that these rules allow.
package struct LibraryDirectory: Hashable, Sendable {
    /// The folder of the finished files, where the user may have other files, too.
    package let media: String
    /// The folder of everything else: the registry, unfinished downloads, pictures and reports.
    package let data: String

    /// Creates the directory of a library with its data in a hidden folder beside the media.
    package init(path: String) {
        self.init(media: path, data: "\(path)/.offline")
    }

    /// Creates the directory of a library with its data in another folder.
    package init(media: String, data: String) {
        self.media = media
        self.data = data
    }

    /// The SQLite file of the registry.
    package var registry: String { "\(data)/registry.sqlite" }
    /// The lock file of the process that has opened the library.
    package var lock: String { "\(data)/lock" }
    /// The file that is deleted to free space on a full disk.
    package var reserve: String { "\(data)/reserve" }
    /// The folder of the requests of commands that found the library open in another process.
    package var requests: String { "\(data)/requests" }
    /// The address and token of the library's server, readable by the owner only.
    package var serverFile: String { "\(data)/server.json" }
    /// The folder of the reports.
    package var reports: String { "\(data)/reports" }
    /// The stored copy of the catalog of lessons.
    package var catalog: String { "\(data)/catalogue.json" }
    /// The folder of the finished files of earlier versions, under their items' numbers.
    var numberedMedia: String { "\(data)/media" }
    /// The folder of the items' pictures.
    package var pictures: String { "\(data)/pictures" }
    /// The user notifications: pending, delivered and in the inbox.
    package var notifications: String { "\(data)/notifications.json" }
    /// The folder of unfinished downloads, with a folder for each item.
    package var work: String { "\(data)/work" }

    /// The folder of the copies of films with another sound.
    var sounds: String { "\(data)/sounds" }

    /// Returns the path of a file in the media folder.
    package func mediaFile(_ name: String) -> String { "\(media)/\(name)" }

    /// Returns the path of an item's picture.
    package func picture(of id: ItemID) -> String { "\(pictures)/\(id).jpg" }

    /// Returns the path of the copy of an item with one of its sounds.
    func sound(_ number: Int, of id: ItemID) -> String { "\(sounds)/\(id)-\(number)" }

    /// Returns the work folder of an item.
    package func work(of id: ItemID) -> String { "\(work)/\(id)" }

    /// Returns the path of an item's unfinished file.
    package func partialFile(of id: ItemID) -> String { "\(work(of: id))/partial" }

    /// Returns the path of an item's unfinished file that several connections write.
    package func spreadFile(of id: ItemID) -> String { "\(work(of: id))/spread" }

    /// Returns the path of the record of the ranges in that file.
    package func ranges(of id: ItemID) -> String { "\(work(of: id))/ranges" }

    /// Returns the path of the record of the address that an item's page named.
    package func reference(of id: ItemID) -> String { "\(work(of: id))/reference" }

    /// Returns the path of the mark that a person has replaced an item's address.
    func replacement(of id: ItemID) -> String { "\(work(of: id))/replaced" }

    /// Returns the folder of the program that finds the media of an item's page.
    package func resolver(of id: ItemID) -> String { "\(work(of: id))/resolver" }

    /// Returns the path of an item's joined parts.
    package func muxedFile(of id: ItemID) -> String { "\(work(of: id))/muxed.mp4" }

    /// Returns the path of the picture that an item's page names.
    package func cover(of id: ItemID) -> String { "\(work(of: id))/cover.jpg" }

    /// Returns the folder of an item's joined sections.
    package func sections(of id: ItemID) -> String { "\(work(of: id))/sections" }

    /// Returns the folder of an item's parts.
    package func parts(of id: ItemID) -> String { "\(work(of: id))/segments" }

    /// Returns whether a text is the name of a visible file in the media folder, and no other path.
    static func isMediaName(_ text: String) -> Bool {
        // The bytes, because a slash can be part of a larger character.
        !text.isEmpty && text.utf8.first != UInt8(ascii: ".")
            && !text.utf8.contains(UInt8(ascii: "/")) && !text.utf8.contains(0)
    }

    /// Returns whether a text is a name that this program gives to the file of a part.
    static func isPartName(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9]+-[0-9]+|[0-9]+|map/) != nil
    }

    /// Returns the path of a part with a name of the registry.
    package func part(_ fileName: String, of id: ItemID) -> String {
        "\(parts(of: id))/\(fileName)"
    }

    /// Whether there are files that only a registry can have listed.
    ///
    /// The media do not count: a new library may begin in a folder with films.
    var hasFiles: Bool {
        [numberedMedia, pictures, work].contains { !SystemFile.names(in: $0).isEmpty }
    }

    /// The highest item number in the names of the library's files; 0 without files.
    ///
    /// The items of a new registry get higher numbers, so that none takes over the files of an
    /// item that the registry has lost.
    var lastNumber: Int64 {
        [numberedMedia, pictures, work].flatMap(SystemFile.names).compactMap(Self.number).max() ?? 0
    }

    /// Returns the number in a name such as `7`, `7.jpg`, `7-2.mp4` or `7.en.vtt`; nil for others.
    private static func number(in name: String) -> Int64? {
        guard let parts = name.wholeMatch(of: /([0-9]+)(-[0-9]+)?(\.[a-z0-9]+){0,3}/) else {
            return nil
        }
        // A file of the user can have any number as its name, and must not use up all numbers.
        return Int32(parts.1).map(Int64.init)
    }

    /// Creates the library's folders; only their owner can read those of its data.
    package func create() throws(SystemError) {
        try SystemFile.makeFolder(media, rights: 0o777)
        try createData()
        for folder in [pictures, work, requests] { try SystemFile.makeFolder(folder) }
    }

    /// Creates the folder of the data, which only its owner can read.
    package func createData() throws(SystemError) {
        // Else the films, which other programs may read, would be in a private folder.
        if data.hasPrefix(media + "/") { try SystemFile.makeFolder(media, rights: 0o777) }
        try SystemFile.makeFolder(data)
    }
}
