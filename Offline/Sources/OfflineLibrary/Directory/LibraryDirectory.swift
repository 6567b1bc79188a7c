// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TidingsFiles

/// The paths of a library's files.
///
/// The names consist of fixed words and identifiers, never of text from a server. The registry
/// returns only the names that these rules allow.
package struct LibraryDirectory: Hashable, Sendable {
    /// The path of the library's folder.
    package let path: String

    /// Creates the directory of the library at a path.
    package init(path: String) {
        self.path = path
    }

    /// Returns the user's standard library, below `XDG_DATA_HOME` or `~/.local/share`.
    package static func standard(environment: [String: String]) -> LibraryDirectory {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return LibraryDirectory(path: "\(data)/offline")
        }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return LibraryDirectory(path: "\(home)/.local/share/offline")
    }

    /// The SQLite file of the registry.
    package var registry: String { "\(path)/registry.sqlite" }
    /// The lock file of the process that has opened the library.
    package var lock: String { "\(path)/lock" }
    /// The file that is deleted to free space on a full disk.
    package var reserve: String { "\(path)/reserve" }
    /// The folder of the requests of commands that found the library open in another process.
    package var requests: String { "\(path)/requests" }
    /// The address and token of the library's server, readable by the owner only.
    package var serverFile: String { "\(path)/server.json" }
    /// The folder of the reports.
    package var reports: String { "\(path)/reports" }
    /// The stored copy of the catalog of lessons.
    package var catalog: String { "\(path)/catalogue.json" }
    /// The folder of the finished files.
    package var media: String { "\(path)/media" }
    /// The folder of the items' pictures.
    package var pictures: String { "\(path)/pictures" }
    /// The user notifications: pending, delivered and in the inbox.
    package var notifications: String { "\(path)/notifications.json" }
    /// The folder of unfinished downloads, with a folder for each item.
    package var work: String { "\(path)/work" }

    /// Returns the path of a file in the media folder.
    package func mediaFile(_ name: String) -> String { "\(media)/\(name)" }

    /// Returns an unused name for an item's finished file.
    ///
    /// A file with the item's default name can exist if the registry was lost or the user has
    /// copied files into the folder.
    package func freeMediaName(for id: ItemID, extension fileExtension: String) -> String {
        var name = "\(id).\(fileExtension)"
        var number = 1
        while SystemFile.exists(mediaFile(name)) {
            number += 1
            name = "\(id)-\(number).\(fileExtension)"
        }
        return name
    }

    /// Returns the path of an item's picture.
    package func picture(of id: ItemID) -> String { "\(pictures)/\(id).jpg" }

    /// Returns the work folder of an item.
    package func work(of id: ItemID) -> String { "\(work)/\(id)" }

    /// Returns the path of an item's unfinished file.
    package func partialFile(of id: ItemID) -> String { "\(work(of: id))/partial" }

    /// Returns the path of the record of the address that an item's page named.
    package func reference(of id: ItemID) -> String { "\(work(of: id))/reference" }

    /// Returns the path of an item's joined parts.
    package func muxedFile(of id: ItemID) -> String { "\(work(of: id))/muxed.mp4" }

    /// Returns the folder of an item's joined sections.
    package func sections(of id: ItemID) -> String { "\(work(of: id))/sections" }

    /// Returns the folder of an item's parts.
    package func parts(of id: ItemID) -> String { "\(work(of: id))/segments" }

    /// Returns whether a text is the name of a file in the media folder, and no other path.
    static func isMediaName(_ text: String) -> Bool {
        // The bytes, because a slash can be part of a larger character.
        !text.isEmpty && text != "." && text != ".."
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

    /// Whether there are finished or unfinished files, which only a registry can have listed.
    var hasFiles: Bool { [media, work].contains { !SystemFile.names(in: $0).isEmpty } }

    /// The highest item number in the names of the library's files; 0 without files.
    ///
    /// The items of a new registry get higher numbers, so that none takes over the files of an
    /// item that the registry has lost.
    var lastNumber: Int64 {
        [media, pictures, work].flatMap(SystemFile.names).compactMap(Self.number).max() ?? 0
    }

    /// Returns the number in a name such as `7`, `7.jpg`, `7-2.mp4` or `7.en.vtt`; nil for others.
    private static func number(in name: String) -> Int64? {
        guard let parts = name.wholeMatch(of: /([0-9]+)(-[0-9]+)?(\.[a-z0-9]+){0,3}/) else {
            return nil
        }
        // A file of the user can have any number as its name, and must not use up all numbers.
        return Int32(parts.1).map(Int64.init)
    }

    /// Creates the library's folders, which only their owner can read.
    package func create() throws(SystemError) {
        for folder in [path, media, pictures, work, requests] { try SystemFile.makeFolder(folder) }
    }
}
