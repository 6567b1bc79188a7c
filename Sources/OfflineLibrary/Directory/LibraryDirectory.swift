// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Where everything of a library lies; every name below it is made of identifiers alone.
package struct LibraryDirectory: Hashable, Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// The folder that a person's programs keep such data in.
    package static func standard(environment: [String: String]) -> LibraryDirectory {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return LibraryDirectory(path: "\(data)/offline")
        }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return LibraryDirectory(path: "\(home)/.local/share/offline")
    }

    package var registry: String { "\(path)/registry.sqlite" }
    package var lock: String { "\(path)/lock" }
    /// The address and token of the server that works on the library, for its owner's eyes only.
    package var serverFile: String { "\(path)/server.json" }
    package var reports: String { "\(path)/reports" }
    /// The stored copy of the catalogue of lessons.
    package var catalogue: String { "\(path)/catalogue.json" }
    package var media: String { "\(path)/media" }
    package var pictures: String { "\(path)/pictures" }
    /// What was told to the person, and what of it is shown.
    package var notifications: String { "\(path)/notifications.json" }
    package var work: String { "\(path)/work" }

    package func mediaFile(_ name: String) -> String { "\(media)/\(name)" }
    /// A name for an item's finished file that no other file has: after a registry was lost, or when
    /// a person put files there, one may lie under the item's own.
    package func freeMediaName(for id: ItemID, extension fileExtension: String) -> String {
        var name = "\(id).\(fileExtension)"
        var number = 1
        while Disk.exists(mediaFile(name)) {
            number += 1
            name = "\(id)-\(number).\(fileExtension)"
        }
        return name
    }

    package func picture(of id: ItemID) -> String { "\(pictures)/\(id).jpg" }
    package func work(of id: ItemID) -> String { "\(work)/\(id)" }
    package func partialFile(of id: ItemID) -> String { "\(work(of: id))/partial" }
    package func muxedFile(of id: ItemID) -> String { "\(work(of: id))/muxed.mp4" }
    package func segments(of id: ItemID) -> String { "\(work(of: id))/segments" }

    package func segment(_ number: Int, of id: ItemID) -> String {
        "\(segments(of: id))/\(number < 0 ? "map" : String(number))"
    }

    /// Makes the library's folders, readable by their owner alone.
    package func create() throws(DiskError) {
        for folder in [path, media, pictures, work] { try Disk.makeFolder(folder) }
    }
}
