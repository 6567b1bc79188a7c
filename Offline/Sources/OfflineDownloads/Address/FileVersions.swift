// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import TidingsHTTP
import TidingsLock

/// The versions of the files from which the download has fetched parts.
///
/// Ranges of two versions of a file must never be joined.
final class FileVersions: Sendable {
    private let versions = Lock<[String: String]>([:])

    /// Stores the version of a file with a kept part.
    ///
    /// Weak tags do not name a version.
    func remember(_ version: String?, of part: Part) {
        guard part.range != nil, let version, version.hasPrefix("\"") else { return }
        versions.withLock { $0[part.address.text] = version }
    }

    /// Stores the version of the file that holds a part, and compares later parts with the version.
    ///
    /// - Throws: `DownloadError` with `.changed` if another part came from another version.
    func check(_ part: Part, _ head: HTTPResponseHead) throws(DownloadError) {
        guard part.range != nil, let version = head.strongValidator else { return }
        let known = versions.withLock { versions in
            let known = versions[part.address.text] ?? version
            versions[part.address.text] = known
            return known
        }
        guard known != version else { return }
        throw DownloadError(
            .changed,
            "\(part.address.redacted) changed on the server during the download. Try again."
        )
    }
}
