// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A message type on the wire, which encodes the current version and also decodes older versions.
struct WireType<M: BridgedMessage>: Sendable {
    let codec: BridgeCodec
    /// The steps by the version that they read.
    private let steps: [Int: Upcast]

    /// - Throws: `missingUpcast` if the steps do not lead from the oldest version to this one.
    init(_ codec: BridgeCodec) throws(BridgeError) {
        self.codec = codec
        steps = Dictionary(M.upcasts.map { ($0.version, $0) }) { first, _ in first }
        guard M.oldestWireVersion >= 1, M.oldestWireVersion <= M.wireVersion else {
            throw Self.missing("reads versions \(M.oldestWireVersion) to \(M.wireVersion)")
        }
        for version in M.oldestWireVersion..<M.wireVersion {
            guard let step = steps[version] else {
                throw Self.missing("has no step from version \(version)")
            }
            let next: any Any.Type = version + 1 == M.wireVersion ? M.self : try input(version + 1)
            guard step.output == next else {
                throw Self.missing(
                    "has a step from version \(version) to another type than \(next)"
                )
            }
        }
    }

    func encode(_ message: M) throws(BridgeError) -> [UInt8] {
        do {
            return try codec.encode(message)
        } catch {
            throw BridgeError(.codec, "\(M.wireName) cannot be encoded: \(error).", cause: error)
        }
    }

    /// Decodes a body, where nil stands for the current version.
    func decode(_ body: [UInt8], version: Int?) throws(BridgeError) -> M {
        let version = version ?? M.wireVersion
        guard version <= M.wireVersion else {
            throw BridgeError(
                .unsupportedVersion,
                "\(M.wireName) has version \(version); this program reads up to "
                    + "\(M.wireVersion). Update the program, then send the dead letter again."
            )
        }
        guard version >= M.oldestWireVersion else {
            throw BridgeError(
                .unsupportedVersion,
                "\(M.wireName) has version \(version); this program reads from "
                    + "\(M.oldestWireVersion) on. Add an upcast, or discard the dead letter."
            )
        }
        do {
            return try decode(body, from: version)
        } catch {
            throw BridgeError(
                .codec,
                "A body of \(M.wireName), version \(version), cannot be decoded: \(error).",
                cause: error
            )
        }
    }

    private func decode(_ body: [UInt8], from version: Int) throws -> M {
        guard let first = steps[version], version < M.wireVersion else {
            return try codec.decode(M.self, body)
        }
        var value = try first.convert(first.decode(body, codec))
        for later in (version + 1)..<max(M.wireVersion, version + 1) {
            guard let step = steps[later] else { throw StepMismatch() }
            value = try step.convert(value)
        }
        guard let message = value as? M else { throw StepMismatch() }
        return message
    }

    private func input(_ version: Int) throws(BridgeError) -> any Any.Type {
        guard let step = steps[version] else {
            throw Self.missing("has no step from version \(version)")
        }
        return step.input
    }

    private static func missing(_ fault: String) -> BridgeError {
        BridgeError(
            .missingUpcast,
            "\(M.self) \(fault). Its `upcasts` need a step for each version from "
                + "`oldestWireVersion` to the one before `wireVersion`."
        )
    }
}
