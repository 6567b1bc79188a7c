// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A file of lines without repetitions.
///
/// If a process is killed between the end of a handler and the commit of the position, the process
/// handles the message again. The ledger makes the second call harmless.
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

    /// Adds a line unless the file already has the line.
    func add(_ line: String) throws {
        try file.withLock { file in
            try file.seek(toOffset: 0)
            let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            guard !text.split(separator: "\n").contains(Substring(line)) else { return }
            // One write ensures that a kill leaves either the whole line or no part of the line.
            try file.write(contentsOf: Data("\(line)\n".utf8))
        }
    }
}
