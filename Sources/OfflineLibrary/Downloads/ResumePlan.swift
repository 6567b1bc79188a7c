// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// Decides how an unfinished file goes on: never by joining two versions.
///
/// A value without side effects: made from what the registry and the disk know, then asked about
/// the server's answer.
package struct ResumePlan: Hashable, Sendable {
    /// What to do with the answer's body.
    package enum Decision: Hashable, Sendable {
        /// Append it to the bytes that are kept.
        case append
        /// Write it from the beginning; `note` tells the person when bytes were given up for it.
        case restart(note: String?)
        /// Give this answer up and ask again for the whole file.
        case askAgain(note: String)
        /// The file was whole already.
        case alreadyWhole
        /// An answer that no body of a file can follow.
        case fail(status: Int)
    }

    /// The bytes that are kept, 0 to start from the beginning.
    package let offset: Int64
    /// The version that they belong to.
    package let validator: String?
    package let totalBytes: Int64?
    /// Why bytes that were there are not kept.
    package let note: String?

    /// Plans from the registry's record and the file on disk.
    ///
    /// After a reboot only what was synced counts: the rest may hold anything.
    package init(record: TransferRecord, fileSize: Int64, bootID: String?) {
        var kept = fileSize
        if record.bootID == nil || record.bootID != bootID { kept = min(kept, record.syncedBytes) }
        if let total = record.totalBytes, kept > total { kept = 0 }
        if kept > 0, record.validator == nil {
            note = "Started over: the server gives no way to tell whether its file changed."
            kept = 0
        } else {
            note = nil
        }
        offset = kept
        validator = kept > 0 ? record.validator : nil
        totalBytes = kept > 0 ? record.totalBytes : nil
    }

    /// A plan that asks for the whole file.
    package static func fresh(note: String? = nil) -> ResumePlan {
        ResumePlan(offset: 0, validator: nil, totalBytes: nil, note: note)
    }

    private init(offset: Int64, validator: String?, totalBytes: Int64?, note: String?) {
        self.offset = offset
        self.validator = validator
        self.totalBytes = totalBytes
        self.note = note
    }

    /// Adds the range to a request, bound to the version whose bytes are kept.
    package func apply(to request: inout HTTPRequest) {
        guard offset > 0 else { return }
        request.range = HTTPByteRange(offset: offset, length: nil)
        request.ifRange = validator
    }

    /// What to do with the server's answer.
    package func decision(for head: HTTPResponseHead) -> Decision {
        switch head.status {
        case 200:
            guard offset > 0 else { return .restart(note: note) }
            let changed = head.strongValidator != validator
            return .restart(
                note: changed
                    ? "Started over: the server's file changed."
                    : "Started over: the server does not send parts of this file."
            )
        case 206:
            guard offset > 0 else {
                return .fail(status: 206)
            }
            guard head.strongValidator == validator else {
                return .askAgain(note: "Started over: the server's file changed.")
            }
            guard let range = head.contentRange, range.first == offset,
                totalBytes == nil || range.total == nil || range.total == totalBytes
            else {
                return .askAgain(note: "Started over: the server sent another part than asked for.")
            }
            guard totalBytes != nil || range.total != nil else {
                return .askAgain(note: "Started over: the server does not say how much is left.")
            }
            return .append
        case 416 where offset > 0:
            // Many servers leave the validator out here. With If-Range they would have sent the
            // file itself, had it changed.
            if offset == totalBytes, [nil, validator].contains(head.strongValidator) {
                return .alreadyWhole
            }
            return .askAgain(note: "Started over: the server's file is shorter than before.")
        default:
            return .fail(status: head.status)
        }
    }
}
