// SPDX-License-Identifier: Apache-2.0

/// The user and the keys of a run, as stored in the run's file.
struct ScopeRecord: Equatable, Sendable {
    private static let version: UInt8 = 1

    var user: String?
    var values: [String: ReportValue]

    var bytes: [UInt8] {
        var bytes = ByteWriter(capacity: 256 + 64 * values.count)
        bytes.append(Self.version)
        bytes.append(user)
        bytes.append(values)
        return bytes.bytes
    }
}

extension ScopeRecord {
    /// Decodes a scope, or returns nil if the scope is incomplete.
    init?(_ bytes: some Collection<UInt8>) {
        var reader = ByteReader(bytes)
        guard reader.number(UInt8.self) == Self.version, let user = reader.optionalText(),
            let values = reader.values()
        else { return nil }
        self.init(user: user, values: values)
    }
}
