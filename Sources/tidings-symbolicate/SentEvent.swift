// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics

/// The parts of an event in the format of Sentry that name the code of a fault.
///
/// The event may come from another library or be damaged, so parts of an unexpected type count as
/// missing.
struct SentEvent: Decodable {
    /// A list of errors.
    ///
    /// Some libraries send the list without the object around the list.
    struct Exceptions: Decodable {
        let values: [Exception]

        private enum CodingKeys: String, CodingKey {
            case values
        }

        init(from decoder: any Decoder) throws {
            if let list = try? LenientList<Exception>(from: decoder) {
                values = list.elements
            } else {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                values = try container.decode(LenientList<Exception>.self, forKey: .values).elements
            }
        }
    }

    struct Exception: Decodable {
        @Lenient var type: String?
        @Lenient var value: String?
        @Lenient var threadID: Int32?
        @Lenient var mechanism: Mechanism?
        @Lenient var stacktrace: Stack?

        private enum CodingKeys: String, CodingKey {
            case type, value, mechanism, stacktrace
            case threadID = "thread_id"
        }
    }

    struct Mechanism: Decodable {
        struct Meta: Decodable {
            struct Signal: Decodable {
                let number: Int32
                @Lenient var code: Int32?
                @Lenient var name: String?
            }

            @Lenient var signal: Signal?
        }

        @Lenient var synthetic: Bool?
        @Lenient var meta: Meta?
    }

    struct Stack: Decodable {
        /// The outermost call comes first.
        let frames: LenientList<Frame>
    }

    struct Frame: Decodable {
        @Lenient var function: String?
        @Lenient var path: String?
        @Lenient var line: Int?
        @Lenient var address: Address?
        @Lenient var package: String?
        @Lenient var isInApp: Bool?

        private enum CodingKeys: String, CodingKey {
            case function, package
            case path = "abs_path"
            case line = "lineno"
            case address = "instruction_addr"
            case isInApp = "in_app"
        }
    }

    struct Images: Decodable {
        let images: LenientList<Image>
    }

    struct Image: Decodable {
        @Lenient var type: String?
        @Lenient var path: String?
        @Lenient var build: String?
        @Lenient var start: Address?
        @Lenient var size: UInt64?

        private enum CodingKeys: String, CodingKey {
            case type
            case path = "code_file"
            case build = "code_id"
            case start = "image_addr"
            case size = "image_size"
        }
    }

    /// An address, as a number or as text such as `0x1f`.
    struct Address: Decodable {
        let value: UInt64

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(UInt64.self) {
                value = number
                return
            }
            let text = try container.decode(String.self)
            guard text.hasPrefix("0x"), let number = UInt64(text.dropFirst(2), radix: 16) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "\(text) is not an address."
                )
            }
            value = number
        }
    }

    struct Contexts: Decodable {
        struct App: Decodable {
            @Lenient var name: String?

            private enum CodingKeys: String, CodingKey {
                case name = "app_name"
            }
        }

        struct Device: Decodable {
            @Lenient var arch: String?
        }

        @Lenient var app: App?
        @Lenient var device: Device?
    }

    let id: String
    @Lenient var release: String?
    @Lenient var environment: String?
    @Lenient var exception: Exceptions?
    @Lenient var debug: Images?
    @Lenient var contexts: Contexts?

    private enum CodingKeys: String, CodingKey {
        case id = "event_id"
        case debug = "debug_meta"
        case release, environment, exception, contexts
    }
}

extension SentEvent {
    /// The event as a report, or nil if the event contains no calls.
    var report: Report? {
        let exceptions = exception?.values ?? []
        // The last exception with a stack is the outcome. The earlier exceptions are the causes.
        guard let index = exceptions.lastIndex(where: { $0.stacktrace != nil }),
            let frames = exceptions[index].stacktrace?.frames.elements, !frames.isEmpty
        else { return nil }
        let crash = crash(exceptions[index])
        var report = Report(
            id: id,
            level: crash == nil ? .error : .fatal,
            application: contexts?.app?.name ?? "",
            release: release ?? "",
            errors: exceptions.reversed().filter { $0.mechanism?.meta?.signal == nil }
                .map { ReportedError(domain: $0.type ?? "", message: $0.value ?? "") }
        )
        report.environment = environment
        report.machine["architecture"] = contexts?.device?.arch
        report.crash = crash
        report.images = (debug?.images.elements ?? []).compactMap(\.reported)
        report.frames = Self.frames(frames, isCrash: crash != nil)
        return report
    }

    private func crash(_ exception: Exception) -> ReportedCrash? {
        guard let signal = exception.mechanism?.meta?.signal else { return nil }
        let name = signal.name ?? "Signal \(signal.number)"
        var crash = ReportedCrash(
            signal: name,
            numbered: signal.number,
            because: signal.code ?? 0,
            on: exception.threadID ?? 0
        )
        // Without a reason, the event describes the signal and is marked as synthetic.
        if exception.mechanism?.synthetic != true, let value = exception.value {
            let kind = exception.type.flatMap { $0 == name ? nil : "\($0): " } ?? ""
            crash.reason = kind + value
        }
        return crash
    }

    /// Returns the frames of the calls.
    ///
    /// Events contain inlined functions as frames with the address of the call.
    private static func frames(_ calls: [Frame], isCrash: Bool) -> [ReportedFrame] {
        var frames: [ReportedFrame] = []
        var names: Set<String> = []
        for frame in calls.reversed() {
            guard let address = frame.address?.value else { continue }
            let isInner = address == frames.last?.address
            if !isInner { names = [] }
            // A recursion has the same function at the same address again.
            let isNew = frame.function.map { names.insert($0).inserted } ?? false
            if isInner, isNew { frames[frames.count - 1].isInlined = true }
            if !isNew { names = frame.function.map { [$0] } ?? [] }
            let isFirst = frames.isEmpty || (isInner && isNew && frames[0].address == address)
            var reported = ReportedFrame(at: address, isCrash && isFirst ? .counter : .call)
            (reported.function, reported.file) = (frame.function, frame.path)
            (reported.line, reported.isSystem) = (frame.line, frame.isInApp == false)
            reported.image = frame.package?.split(separator: "/").last.map(String.init)
            frames.append(reported)
        }
        return frames
    }
}

extension SentEvent.Image {
    /// The image, or nil if the image is not of Linux or lacks a build or a place.
    fileprivate var reported: ReportedImage? {
        guard type == "elf", let build, let start = start?.value, let size else { return nil }
        let (end, isTooLarge) = start.addingReportingOverflow(size)
        guard !isTooLarge else { return nil }
        return ReportedImage(path: path ?? "", buildID: build.lowercased(), start: start, end: end)
    }
}
