// SPDX-License-Identifier: Apache-2.0
internal import TidingsDiagnostics

extension SentryEvent {
    /// Returns the calls of a thread that did not crash, or nil without calls.
    func stack(of thread: ReportedThread) -> JSONValue? {
        let frames = thread.frames.prefix(limits.frames / 10).reversed()
        guard !frames.isEmpty else { return nil }
        return ["frames": .list(frames.map { frame($0, isInApp: true) })]
    }

    /// Returns the frames with the outermost call first, or nil without frames.
    func stack(registers: [String: UInt64]?) -> JSONValue? {
        guard !report.frames.isEmpty else { return nil }
        let origin = origin
        let registers = (registers ?? [:]).sorted { $0.key < $1.key }.prefix(limits.registers)
            .map { name, value in
                JSONValue.Member(
                    name: SentryText.line(name, limit: limits.short),
                    value: .address(value)
                )
            }
        let recorded = sentFrames.reversed().map { frame($0, isInApp: origin == nil) }
        return [
            "frames": .list(recorded + (origin.map { [$0] } ?? [])),
            "registers": .nonEmptyObject(registers),
        ]
    }

    /// The files of the frames with the build IDs, without the files that have no build ID.
    var images: JSONValue? {
        .nonEmptyList(report.images.prefix(limits.images).compactMap(image))
    }

    /// The frames to send.
    ///
    /// Of too many frames, two thirds come from the crash and one third from the start.
    ///
    /// The innermost frames matter most, and both ends are needed to recognize an endless
    /// recursion.
    private var sentFrames: [ReportedFrame] {
        guard report.frames.count > limits.frames else { return report.frames }
        let outermost = limits.frames / 3
        return Array(report.frames.prefix(limits.frames - outermost))
            + report.frames.suffix(outermost)
    }

    /// The line of the failure, if the stack was recorded at another place.
    ///
    /// Servers name an issue by the innermost frame of the program.
    private var origin: JSONValue? {
        guard report.crash == nil, let place = report.errors.place,
            let colon = place.lastIndex(of: ":"),
            let line = Int(place[place.index(after: colon)...]), line > 0
        else { return nil }
        let file = SentryText.end(String(place[..<colon]), limit: limits.path)
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let isInStack = report.frames.contains { frame in
            frame.line == line && frame.file?.hasSuffix("/\(name)") == true
        }
        guard !isInStack, !name.isEmpty else { return nil }
        return [
            "filename": .text(name), "abs_path": .text(file), "lineno": .integer(line),
            "in_app": true,
        ]
    }

    private func frame(_ frame: ReportedFrame, isInApp: Bool) -> JSONValue {
        let image = report.images.first { $0.start <= frame.address && frame.address < $0.end }
        let file = SentryText.end(frame.file ?? "", limit: limits.path)
        let name = file.split(separator: "/").last.map(String.init) ?? ""
        return [
            "function": frame.function
                .flatMap { .nonEmptyText(SentryText.line($0, limit: limits.function)) },
            "filename": .nonEmptyText(name),
            "abs_path": .nonEmptyText(file),
            "lineno": frame.line.flatMap { $0 > 0 ? .integer($0) : nil },
            "instruction_addr": frame.isGap ? nil : .address(frame.address),
            "image_addr": image.map { .address($0.start) },
            "package": .nonEmptyText(
                SentryText.end(image?.path ?? frame.image ?? "", limit: limits.path)
            ),
            "in_app": .flag(isInApp && !frame.isSystem && !frame.isGap),
        ]
    }

    private func image(_ image: ReportedImage) -> JSONValue? {
        guard let build = image.buildID?.lowercased(), let id = debugID(Array(build.utf8)) else {
            return nil
        }
        return [
            "type": "elf",
            // Servers require this value.
            "code_file": .nonEmptyText(SentryText.end(image.path, limit: limits.path)) ?? "unknown",
            "code_id": .text(build),
            "debug_id": .text(id),
            "image_addr": .address(image.start),
            "image_size": .integer(
                Int(clamping: image.end > image.start ? image.end - image.start : 0)
            ),
        ]
    }

    /// Returns the first 16 bytes of a build ID as a UUID with three little-endian numbers.
    private func debugID(_ build: [UInt8]) -> String? {
        guard (2...128).contains(build.count), build.count % 2 == 0,
            build.allSatisfy(SentryNames.isHexDigit)
        else { return nil }
        let digits =
            build.prefix(32) + Array(repeating: UInt8(ascii: "0"), count: max(0, 32 - build.count))
        let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]
        return SentryNames.dashed(order.flatMap { digits[2 * $0...2 * $0 + 1] })
    }
}
