// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation

/// A folder with the debug files of programs and libraries.
///
/// The contents of the folder are untrusted. A malformed file counts as missing, a search ends
/// after a number of entries, and checksums are computed for a limited number of bytes. The
/// contents must not change during the lifetime of the object, which caches the found files and the
/// checksums.
package final class DebugFolder {
    private static let depthLimit = 32

    /// A file that was loaded into a process.
    private struct Loaded: Hashable {
        let build: String
        let path: String
    }

    private let path: String
    /// The regular files below the folder, by name.
    private let files: [String: [String]]
    /// The same files by build ID.
    private let builds: [String: [String]]
    /// The results of earlier searches, with nil for a missing file.
    private var found: [Loaded: String?] = [:]
    /// The computed checksums by path, with nil for a file that is unreadable or too large.
    private var checksums: [String: UInt32?] = [:]
    /// The number of bytes for which checksums may still be computed.
    private(set) var checksumBytes: Int

    /// Lists a folder, or returns nil if the path has no folder.
    ///
    /// - Parameters:
    ///   - path: The path of the folder.
    ///   - entryLimit: The maximum number of entries below the folder that are examined.
    ///   - checksumLimit: The maximum number of bytes for which checksums are computed.
    package init?(_ path: String, entryLimit: Int = 200_000, checksumLimit: Int = 16 << 30) {
        guard let path = Self.resolved(path) else { return nil }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
        else { return nil }
        self.path = path
        checksumBytes = checksumLimit
        var files: [String: [String]] = [:]
        var builds: [String: [String]] = [:]
        for file in Self.files(below: path, limit: entryLimit) {
            files[(file as NSString).lastPathComponent, default: []].append(file)
            if let build = Self.build(of: file) { builds[build, default: []].append(file) }
        }
        (self.files, self.builds) = (files, builds)
    }

    /// Returns the file with the most information about a build.
    ///
    /// The file has at least the names of the functions.
    ///
    /// - Parameter image: A file that was loaded into a process. If the file still exists, the name
    ///   of its debug file is read from the file.
    /// - Returns: The path of a file with the build ID of the image, or of a file that the image
    ///   names together with a matching checksum. The result is nil if there is neither.
    package func file(for image: ReportedImage) -> String? {
        guard let build = image.buildID else { return nil }
        let loaded = Loaded(build: build, path: image.path)
        if let known = found[loaded] { return known }
        let file = search(build, loadedFrom: image.path)
        found.updateValue(file, forKey: loaded)
        return file
    }

    private func search(_ build: String, loadedFrom image: String) -> String? {
        let named = Self.linked(build).map { "\(path)/\($0)" }.filter {
            Self.build(of: $0) == build
        }
        let same = named + (builds[build] ?? [])
        let loaded = Self.build(of: image) == build ? [image] : []
        let linked = (same + loaded).flatMap { debugFiles(of: $0, build) }
        let candidates = (same + linked).map { (path: $0, symbols: Self.symbols(in: $0)) }
        // Selects the first of the candidates with the most symbols.
        var best: (path: String, symbols: Symbols)?
        for candidate in candidates where candidate.symbols > best?.symbols ?? .none {
            best = candidate
        }
        return best?.path
    }

    /// The paths at which tools look for the debug file of a build.
    private static func linked(_ build: String) -> [String] {
        guard build.count > 2, build.allSatisfy(\.isHexDigit) else { return [] }
        let name = "\(build.prefix(2))/\(build.dropFirst(2)).debug"
        return [".build-id/\(name)", "usr/lib/debug/.build-id/\(name)", name]
    }

    /// Returns the files that a stripped file names, as far as the checksums match.
    private func debugFiles(of stripped: String, _ build: String) -> [String] {
        guard let link = ProgramFile(stripped)?.withSections({ DebugLink($0) }) else { return [] }
        let folder = (stripped as NSString).deletingLastPathComponent
        let near = ["\(folder)/\(link.name)", "\(folder)/.debug/\(link.name)"]
        return (near + (files[link.name] ?? [])).filter { file in
            // A file of another build can have the same checksum only on purpose.
            file != stripped && Self.build(of: file) ?? build == build
                && checksum(of: file) == link.checksum
        }
    }

    /// Returns the checksum of a file, or nil if the file is unreadable or too large.
    private func checksum(of path: String) -> UInt32? {
        if let known = checksums[path] { return known }
        var checksum: UInt32?
        if let file = MappedFile(path), file.bytes.count <= checksumBytes {
            checksumBytes -= file.bytes.count
            checksum = withExtendedLifetime(file) { DebugLink.checksum(of: file.bytes) }
        }
        checksums.updateValue(checksum, forKey: path)
        return checksum
    }

    private static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Lists regular files and symbolic links to regular files, in folders near the top first.
    ///
    /// The method reads each folder without the enumerator of the file manager. That enumerator
    /// returns wrong paths where the path of the folder occurs again below the folder.
    private static func files(below path: String, limit: Int) -> [String] {
        var found: [String] = []
        var folders = [(path: path, depth: 0)]
        var position = 0
        var count = 0
        while position < folders.count, count < limit {
            let folder = folders[position]
            position += 1
            forEachName(in: folder.path) { name in
                count += 1
                let file = "\(folder.path)/\(name)"
                var status = stat()
                guard lstat(file, &status) == 0 else { return count < limit }
                if status.st_mode & S_IFMT == S_IFDIR {
                    if folder.depth < depthLimit { folders.append((file, folder.depth + 1)) }
                } else if stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                    found.append(file)
                }
                return count < limit
            }
        }
        return found.sorted()
    }

    /// Calls a closure with each name in a folder until the closure returns false.
    private static func forEachName(in folder: String, _ body: (String) -> Bool) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name == "." || name == ".." || body(name) else { return }
        }
    }

    private static func build(of file: String) -> String? {
        BuildID.ofFile(file).map { BuildID.text(of: $0) }
    }

    private enum Symbols: Int, Comparable {
        case none, functions, lines

        static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
    }

    private static func symbols(in path: String) -> Symbols {
        guard let file = ProgramFile(path) else { return .none }
        if file.range(of: ".debug_info") != nil { return .lines }
        return file.range(of: ".symtab") != nil ? .functions : .none
    }
}
#endif
