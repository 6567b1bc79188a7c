// SPDX-License-Identifier: Apache-2.0

/// Who uses the program and the keys that are set, as they lie in the file of a run.
struct ScopeRecord: Equatable, Sendable {
    private static let version: UInt8 = 1

    var user: String?
    var values: [String: ReportValue]

    var bytes: [UInt8] {
        var bytes = RecordBytes(capacity: 256 + 64 * values.count)
        bytes.append(Self.version)
        bytes.append(user)
        bytes.append(values)
        return bytes.bytes
    }
}

extension ScopeRecord {
    /// Reads a scope; nil when it is not whole.
    init?(_ bytes: some Collection<UInt8>) {
        var reader = ByteReader(bytes)
        guard reader.number(UInt8.self) == Self.version, let user = reader.optionalText(),
            let values = reader.values()
        else { return nil }
        self.init(user: user, values: values)
    }
}
