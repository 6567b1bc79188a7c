// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TidingsFiles

/// The paths of a library's files.
///
/// The names consist of fixed words, identifiers and cleaned titles, never of other text from a
/// server. The registry returns only names that these rules allow.
package struct LibraryDirectory: Hashable, Sendable {
    /// The folder of the finished files, where the user may also keep other files.
    package let media: String
    /// The folder of everything else, such as the registry, unfinished downloads, pictures and
    /// reports.
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
    /// The folder of the finished files of earlier versions, named after the items' numbers.
    package var numberedMedia: String { "\(data)/media" }
    /// The folder of the items' pictures.
    package var pictures: String { "\(data)/pictures" }
    /// The user notifications: pending, delivered and in the inbox.
    package var notifications: String { "\(data)/notifications.json" }
    /// The folder of unfinished downloads, with a folder for each item.
    package var work: String { "\(data)/work" }

    /// The folder of the copies of films with another sound.
    package var sounds: String { "\(data)/sounds" }

    /// Returns the path of a file in the media folder.
    package func mediaFile(_ name: String) -> String { "\(media)/\(name)" }

    /// Returns the path of an item's picture.
    package func picture(of id: ItemID) -> String { "\(pictures)/\(id).jpg" }

    /// Returns the path of the copy of an item with one of the item's sounds.
    package func sound(_ number: Int, of id: ItemID) -> String { "\(sounds)/\(id)-\(number)" }

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

    /// Returns the path of the mark that the user has replaced an item's address.
    package func replacement(of id: ItemID) -> String { "\(work(of: id))/replaced" }

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

    /// Returns whether a string is the name of a visible file in the media folder, and not another
    /// path.
    package static func isMediaName(_ text: String) -> Bool {
        // The check uses bytes, because a slash can be part of a larger character.
        !text.isEmpty && text.utf8.first != UInt8(ascii: ".")
            && !text.utf8.contains(UInt8(ascii: "/")) && !text.utf8.contains(0)
    }

    /// Returns whether a string is a name that this program gives to the file of a part.
    package static func isPartName(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9]+-[0-9]+|[0-9]+|map/) != nil
    }

    /// Returns the path of a part with a name of the registry.
    package func part(_ fileName: String, of id: ItemID) -> String {
        "\(parts(of: id))/\(fileName)"
    }

    /// Whether there are files that only a registry can have listed.
    ///
    /// The media do not count, because a new library may start in a folder with films.
    package var hasFiles: Bool {
        [numberedMedia, pictures, work].contains { !SystemFile.names(in: $0).isEmpty }
    }

    /// The highest item number in the names of the library's files, or 0 without files.
    ///
    /// The items of a new registry receive higher numbers, so that no item takes over the files of
    /// an item that the registry has lost.
    package var lastNumber: Int64 {
        [numberedMedia, pictures, work].flatMap(SystemFile.names).compactMap(Self.number).max() ?? 0
    }

    /// Returns the number in a name such as `7`, `7.jpg`, `7-2.mp4` or `7.en.vtt`, or nil without
    /// one.
    private static func number(in name: String) -> Int64? {
        guard let parts = name.wholeMatch(of: /([0-9]+)(-[0-9]+)?(\.[a-z0-9]+){0,3}/) else {
            return nil
        }
        // A user's file can have any number as a name, and must not use up all numbers.
        return Int32(parts.1).map(Int64.init)
    }

    /// Creates the library's folders, of which the data folders are readable by the owner only.
    package func create() throws(SystemError) {
        try SystemFile.makeFolder(media, rights: 0o777)
        try createData()
        for folder in [pictures, work, requests] { try SystemFile.makeFolder(folder) }
    }

    /// Creates the folder of the data, which only the owner can read.
    package func createData() throws(SystemError) {
        // Otherwise, the films would be in a private folder, although other programs may read
        // films.
        if data.hasPrefix(media + "/") { try SystemFile.makeFolder(media, rights: 0o777) }
        try SystemFile.makeFolder(data)
    }
}
