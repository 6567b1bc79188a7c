// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The file of a run's metadata.
///
/// The file contains two equal lines, each with a checksum, so that a damaged byte costs nothing.
extension RunMetadata {
    /// The placeholder for a program name that can no longer be read.
    static let unknownName = "unknown"

    /// The bytes of the file.
    var fileContent: Data? {
        guard let json = try? JSONEncoder().encode(self) else { return nil }
        let line = json + Data("\t\(Self.checksum(of: json))\n".utf8)
        return line + line
    }

    /// Decodes the first undamaged line of a file, or else the first line that can be decoded.
    init?(file: Data) {
        let lines = file.split(separator: UInt8(ascii: "\n")).map { line in
            let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            let json = parts.first.map { Data($0) } ?? Data()
            let sum = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
            return (json: json, isWhole: sum == Self.checksum(of: json))
        }
        let order = lines.filter(\.isWhole) + lines.filter { !$0.isWhole }
        let decoder = JSONDecoder()
        let known = order.lazy.compactMap { try? decoder.decode(RunMetadata.self, from: $0.json) }
        guard var metadata = known.first else { return nil }
        metadata.started = Date(
            recorded: metadata.started.timeIntervalSinceReferenceDate.bitPattern
        )
        self = metadata
    }

    /// Creates the metadata of a run whose file is unreadable, from the name of its folder.
    init(ofUnreadableRun name: String) {
        let parts = name.split(separator: "-")
        let milliseconds = parts.first.flatMap { Double($0) } ?? 0
        self.init(
            application: Self.unknownName,
            release: Self.unknownName,
            started: Date(timeIntervalSince1970: milliseconds / 1_000),
            process: parts.count > 1 ? Int32(parts[1]) ?? 0 : 0,
            session: CrashMetadata.identifier(run: name, number: 0),
            machine: Self.currentMachine
        )
    }

    private static func checksum(of json: Data) -> String {
        String(RunChecksum.of(Array(json)[...], key: 0), radix: 16)
    }
}
