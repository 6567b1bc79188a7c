// SPDX-License-Identifier: Apache-2.0
package import OfflineStore
package import TidingsHTTP

/// The decision how to resume an unfinished file without joining bytes of two versions.
///
/// A plan is a value without side effects. The registry's record and the size on disk determine the
/// plan, and the caller applies the plan to the request and to the response.
package struct ResumePlan: Hashable, Sendable {
    /// The use of a response.
    package enum Decision: Hashable, Sendable {
        /// Append the body to the kept bytes.
        case append
        /// Write the body from the start. The `note` explains to the user why bytes were dropped.
        case restart(note: String?)
        /// Drop the response and request the whole file.
        case requestWholeFile(note: String)
        /// Drop the response, because the file is complete.
        case alreadyComplete
        /// Fail, because the response contains no part of the file.
        case fail(status: Int)
    }

    /// The number of kept bytes at the start of the file.
    ///
    /// With 0, the transfer starts over.
    package let offset: Int64
    /// The validator of the version of the kept bytes.
    package let validator: String?
    /// The size of the kept version, or nil if the server did not announce the size.
    package let totalBytes: Int64?
    /// The reason why stored bytes are dropped, as text for the user, or nil if no bytes are
    /// dropped.
    package let note: String?
    /// The kept ranges of a spread file, or nil if only the first bytes are kept.
    let ranges: RangeSet?
    /// Whether the user has replaced the address since the kept bytes arrived.
    ///
    /// Another server may then have given the validator to another file, so the size must also
    /// agree.
    var isOfOtherAddress = false

    /// Creates a plan from the registry's record and the size of the file on disk.
    ///
    /// After a reboot, only the synced bytes count, because the other bytes may have any content.
    package init(record: TransferRecord, fileSize: Int64, bootID: String?) {
        var kept = fileSize
        if record.bootID == nil || record.bootID != bootID { kept = min(kept, record.syncedBytes) }
        if let total = record.totalBytes, kept > total { kept = 0 }
        if kept > 0, record.validator == nil {
            note = "Started over: the server offers no way to detect changes of its file."
            kept = 0
        } else {
            note = nil
        }
        offset = kept
        validator = kept > 0 ? record.validator : nil
        totalBytes = kept > 0 ? record.totalBytes : nil
        ranges = nil
    }

    /// Creates a plan for the first missing range of a spread file.
    ///
    /// The result is nil if only the first bytes, or all bytes, can be kept.
    ///
    /// - Parameters:
    ///   - record: The registry's record.
    ///   - ranges: The valid ranges on disk.
    init?(record: TransferRecord, ranges: RangeSet) {
        guard let validator = record.validator, let size = record.totalBytes, ranges.prefix > 0,
            ranges.ranges.count > 1
        else { return nil }
        offset = ranges.prefix
        self.validator = validator
        totalBytes = size
        note = nil
        self.ranges = ranges
    }

    /// Returns a plan for a request of the whole file.
    package static func fresh(note: String? = nil) -> ResumePlan {
        ResumePlan(offset: 0, validator: nil, totalBytes: nil, note: note)
    }

    private init(offset: Int64, validator: String?, totalBytes: Int64?, note: String?) {
        self.offset = offset
        self.validator = validator
        self.totalBytes = totalBytes
        self.note = note
        ranges = nil
    }

    /// The number of kept bytes in all ranges.
    var keptBytes: Int64 { ranges?.count ?? offset }

    /// Adds `Range` and `If-Range` to a request if bytes are kept.
    package func apply(to request: inout HTTPRequest) {
        guard offset > 0 else { return }
        // The request ends at the next range, unless this range is the last.
        let end = ranges?.ranges.dropFirst().first?.lowerBound
        request.range = HTTPByteRange(offset: offset, length: end.map { $0 - offset })
        request.ifRange = validator
    }

    /// Returns the use of a response.
    package func decision(for head: HTTPResponseHead) -> Decision {
        switch head.status {
        case 200:
            guard offset > 0 else { return .restart(note: note) }
            let changed = head.strongValidator != validator
            return .restart(
                note: changed
                    ? "Started over: the server's file changed."
                    : "Started over: the server does not support resuming this file."
            )
        case 206:
            guard offset > 0 else {
                return .fail(status: 206)
            }
            guard head.strongValidator == validator,
                !isOfOtherAddress || hasSize(head.contentRange?.total)
            else {
                return .requestWholeFile(note: "Started over: the server's file changed.")
            }
            guard let range = head.contentRange, range.first == offset,
                totalBytes == nil || range.total == nil || range.total == totalBytes
            else {
                return .requestWholeFile(
                    note: "Started over: the server sent a different range than requested."
                )
            }
            guard totalBytes != nil || range.total != nil else {
                return .requestWholeFile(
                    note: "Started over: the server does not announce the file's size."
                )
            }
            return .append
        case 416 where offset > 0:
            // Many servers omit the validator here. Because of If-Range, the server would have sent
            // the file itself if the file had changed.
            let known = isOfOtherAddress ? [validator] : [nil, validator]
            if offset == totalBytes, known.contains(head.strongValidator),
                !isOfOtherAddress || hasSize(head.totalOfUnsatisfiedRange)
            {
                return .alreadyComplete
            }
            return .requestWholeFile(
                note: "Started over: the server's file is shorter than before."
            )
        default:
            return .fail(status: head.status)
        }
    }

    private func hasSize(_ size: Int64?) -> Bool { size != nil && size == totalBytes }
}

extension HTTPResponseHead {
    /// The size of the file in a 416 response, or nil if the server does not state the size.
    fileprivate var totalOfUnsatisfiedRange: Int64? {
        guard let match = headers.first("Content-Range")?.wholeMatch(of: /bytes \*\/([0-9]+)/)
        else { return nil }
        return Int64(match.1)
    }
}
