// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

extension RunMetadata {
    /// Returns the current ends of the files that the run attaches to the report of a crash.
    ///
    /// Files that cannot be read are left out.
    func attachedFiles(_ writer: RedactingWriter) -> [String: Data] {
        var files: [String: Data] = [:]
        for path in (attachments ?? []).prefix(RedactingWriter.attachmentCount) {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            if RedactingWriter.isSecret(path) {
                files[name] = Data()
            } else if let end = Self.end(of: path) {
                files[name] = end
            }
        }
        return writer.attachments(files, keepsBinaries: false)
    }

    /// Returns the end of a regular file.
    ///
    /// A pipe or a device could block the start, so only regular files are read.
    private static func end(of path: String) -> Data? {
        guard let size = SystemFile.size(of: path), size > 0,
            let file = FileHandle(forReadingAtPath: path)
        else { return nil }
        defer { try? file.close() }
        let limit = UInt64(4 * RedactingWriter.attachmentLimit)
        let start = UInt64(size) - min(UInt64(size), limit)
        guard (try? file.seek(toOffset: start)) != nil else { return nil }
        return try? file.read(upToCount: Int(limit))
    }
}
