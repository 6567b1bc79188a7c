// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A file of lines, each of which stands there once.
///
/// A process that is killed between the end of a handler and the commit of its position handles the
/// message again. The ledger makes that harmless.
final class Ledger: Sendable {
    private let file: Mutex<FileHandle>
    private let path: String

    init(_ path: String) throws {
        self.path = path
        if !FileManager.default.fileExists(atPath: path) {
            try Data().write(to: URL(fileURLWithPath: path))
        }
        file = Mutex(try FileHandle(forUpdating: URL(fileURLWithPath: path)))
    }

    /// Adds a line unless it is there.
    func add(_ line: String) throws {
        try file.withLock { file in
            try file.seek(toOffset: 0)
            let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            guard !text.split(separator: "\n").contains(Substring(line)) else { return }
            // One write, so that a kill leaves the whole line or none of it.
            try file.write(contentsOf: Data("\(line)\n".utf8))
        }
    }
}
