// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A recorded error, as stored in the file of the run until the report is assembled.
///
/// All strings are already redacted and cut.
struct EventRecord: Equatable, Sendable {
    static let frameLimit = 256
    private static let version: UInt8 = 2

    var id: UUID
    var date: Date
    var level: ReportLevel
    /// The error, followed by the causes.
    var errors: [ReportedError]
    var context: [String: ReportValue]
    var grouping: [String]
    /// The call stack of the recording, innermost call first.
    var frames: [RawCapture.Frame]
    /// The user of the recording task, or nil for the user of the run.
    var user: String?
    /// The keys of the recording task, which extend or override the run's keys.
    var values: [String: ReportValue]
    /// The sequence number of the newest breadcrumb at that time.
    var lastBreadcrumb: UInt64
    /// The attached files by name.
    var attachments: [String: Data] = [:]

    var bytes: [UInt8] {
        var bytes = ByteWriter(capacity: 1_024 + 16 * min(frames.count, Self.frameLimit))
        bytes.append(Self.version)
        bytes.append(id.high)
        bytes.append(id.low)
        bytes.append(date)
        bytes.append(level.code)
        bytes.append(lastBreadcrumb)
        bytes.append(UInt16(clamping: errors.count))
        for error in errors.prefix(Int(UInt16.max)) {
            bytes.append(error.domain)
            bytes.append(error.code)
            bytes.append(error.message)
            bytes.append(error.location)
        }
        bytes.append(context)
        bytes.append(UInt16(clamping: grouping.count))
        for text in grouping.prefix(Int(UInt16.max)) { bytes.append(text) }
        let frames = frames.prefix(Self.frameLimit)
        bytes.append(UInt16(frames.count))
        for frame in frames {
            bytes.append(UInt8(frame.kind.rawValue))
            bytes.append(frame.address)
        }
        bytes.append(user)
        bytes.append(values)
        bytes.append(attachments)
        return bytes.bytes
    }
}

extension EventRecord {
    /// Decodes an event, or returns nil if the event is incomplete.
    init?(_ bytes: some Collection<UInt8>) {
        var reader = ByteReader(bytes)
        guard let version = reader.number(UInt8.self), (1...Self.version).contains(version),
            let high = reader.number(UInt64.self), let low = reader.number(UInt64.self),
            let date = reader.date(), let level = reader.number(UInt8.self),
            let lastBreadcrumb = reader.number(UInt64.self),
            let errors = reader.list({ ReportedError(&$0) }), let context = reader.values(),
            let grouping = reader.list({ $0.text() }),
            let frames = reader.list({ RawCapture.Frame(&$0) }), frames.count <= Self.frameLimit,
            let user = reader.optionalText(), let values = reader.values(),
            let attachments = version == 1 ? [:] : reader.attachments()
        else { return nil }
        self.init(
            id: UUID(high, low),
            date: date,
            level: ReportLevel(code: level),
            errors: errors,
            context: context,
            grouping: grouping,
            frames: frames,
            user: user,
            values: values,
            lastBreadcrumb: lastBreadcrumb,
            attachments: attachments
        )
    }
}

extension ReportedError {
    fileprivate init?(_ reader: inout ByteReader) {
        guard let domain = reader.text(), let code = reader.optionalText(),
            let message = reader.text(), let location = reader.optionalText()
        else { return nil }
        self.init(domain: domain, code: code, message: message, location: location)
    }
}

extension RawCapture.Frame {
    fileprivate init?(_ reader: inout ByteReader) {
        guard let code = reader.number(UInt8.self), let address = reader.number(UInt64.self),
            let kind = RawCapture.FrameKind(rawValue: UInt64(code))
        else { return nil }
        self.init(address: address, kind: kind)
    }
}

extension ReportLevel {
    /// The number of the level in the file of a run.
    var code: UInt8 {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        case .fatal: 3
        }
    }

    init(code: UInt8) {
        switch code {
        case 0: self = .info
        case 1: self = .warning
        case 3: self = .fatal
        default: self = .error
        }
    }
}

extension UUID {
    fileprivate var high: UInt64 { word(0) }
    fileprivate var low: UInt64 { word(8) }

    private func word(_ offset: Int) -> UInt64 {
        withUnsafeBytes(of: uuid) { bytes in
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
    }

    fileprivate init(_ high: UInt64, _ low: UInt64) {
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { bytes in
            bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        self.init(uuid: uuid)
    }
}
