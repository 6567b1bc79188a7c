// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder for what could not be read, so that it is tried once and can still be looked at.
struct Quarantine: Sendable {
    /// How much is kept; the oldest goes.
    static let limit = 5

    let path: String

    /// Moves a file or a folder in; what cannot be moved is deleted.
    ///
    /// - Returns: Whether it is out of the way.
    @discardableResult
    func take(_ item: String) -> Bool {
        let stamp = Int(Date().timeIntervalSince1970 * 1_000)
        let name = "\(stamp)-\((item as NSString).lastPathComponent)"
        do {
            try SystemFile.makeFolder(path)
            try SystemFile.rename(item, to: "\(path)/\(name)", in: path)
        } catch {
            // Another process may have been faster.
            try? FileManager.default.removeItem(atPath: item)
        }
        for name in names.dropLast(Self.limit) { remove(name) }
        return SystemFile.isMissing(item)
    }

    /// What is kept, the oldest first.
    var names: [String] { SystemFile.names(in: path).sorted() }

    /// Deletes everything and returns the failure when something is left.
    func removeAll() -> SystemError? {
        for name in names { remove(name) }
        guard let left = names.first else { return nil }
        // Once more, as this tells why.
        do throws(SystemError) {
            try SystemFile.remove("\(path)/\(left)")
        } catch {
            return error
        }
        return nil
    }

    private func remove(_ name: String) {
        try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
}
