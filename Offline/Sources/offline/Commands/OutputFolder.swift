// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import TidingsFiles

/// The folder of `get -o DIR`, which gets a copy of each finished file and of the subtitles.
struct OutputFolder: Equatable {
    let path: String

    /// Uses a folder that exists.
    ///
    /// - Throws: `UsageError` if the folder is missing or the path leads to another kind of file.
    init(_ path: String) throws(UsageError) {
        guard SystemFile.isFolder(path) else {
            throw UsageError("There is no folder “\(path)”. Create it, or use -o with another one.")
        }
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Copies a file of the library, and the subtitles beside the file, unless the folder has the
    /// same.
    ///
    /// A copy replaces no file. If another file has the name, the copy gets a number.
    ///
    /// - Returns: The path of the copy.
    /// - Throws: `SystemError`. The file stays in the library in any case.
    func copy(_ name: String, of library: LibraryDirectory) throws(SystemError) -> String {
        let subtitles = library.subtitleNames(of: name)
        var number = 1
        while true {
            let copy = try copy(library.mediaFile(name), as: numbered(name, number))
            guard let copy else {
                number += 1
                continue
            }
            for text in subtitles {
                // If the folder has other subtitles under this name, those belong to the user and
                // stay.
                _ = try self.copy(library.mediaFile(text), as: numbered(text, of: name, number))
            }
            return copy
        }
    }

    /// Returns the path of the copy, or nil if another file has the name.
    private func copy(_ source: String, as name: String) throws(SystemError) -> String? {
        removeRests(of: name)
        let target = "\(path)/\(name)"
        let isCopied = try SystemFile.copy(source, to: target, hiddenEnding: "\(getpid()).part")
        if isCopied { return target }
        return try SystemFile.haveSameContent(source, target) ? target : nil
    }

    /// Removes the partial copies that killed commands have left.
    private func removeRests(of name: String) {
        for hidden in SystemFile.names(in: path, startingWith: ".\(name).") {
            let words = hidden.split(separator: ".")
            guard words.last == "part", let process = words.dropLast().last.flatMap({ Int32($0) }),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            _ = try? SystemFile.remove("\(path)/\(hidden)")
        }
    }

    private func numbered(_ name: String, _ number: Int) -> String {
        numbered(name, of: name, number)
    }

    /// Returns the name of a file, or of subtitles, with a number after the stem of the film's
    /// name.
    private func numbered(_ name: String, of film: String, _ number: Int) -> String {
        guard number > 1 else { return name }
        let stem = (film as NSString).deletingPathExtension
        return "\(stem) (\(number))\(name.dropFirst(stem.count))"
    }
}
