// SPDX-License-Identifier: Apache-2.0

/// The call stack of the crashed thread, innermost call first.
///
/// The stack contains certain frames and, where frames are missing, possible calls from a stack
/// scan.
struct CrashStack: Equatable, Sendable {
    struct Call: Equatable, Sendable {
        let address: UInt64
        let kind: ReportedFrame.Kind
        /// The index of the captured frame, or nil for other calls.
        var frame: Int?

        /// A placeholder for callers that cannot be found.
        static let missing = Call(address: 0, kind: .call)
        /// The name of the missing callers in a report.
        fileprivate static let missingName = "[callers without frame records are missing]"
    }

    /// The maximum number of scanned calls per gap.
    static let gapLimit = 32
    static let frameLimit = 256

    private(set) var calls: [Call] = []

    /// Creates the call stack of a recorded error.
    init(_ frames: [RawCapture.Frame]) {
        calls = frames.map { Call(address: $0.address, kind: ReportedFrame.Kind($0.kind)) }
    }

    /// Creates the call stack of a crash.
    ///
    /// - Parameters:
    ///   - capture: The signal handler's capture.
    ///   - images: The images of the process.
    ///   - rules: The rules that find the callers of functions without frame records, or nil if the
    ///     image files must not be read.
    init(_ capture: RawCapture, images: ImageList, rules: (any UnwindRules)? = nil) {
        let certain = capture.frames.prefix(Self.frameLimit).enumerated()
            .map { Call(address: $1.address, kind: ReportedFrame.Kind($1.kind), frame: $0) }
        guard let counter = certain.first else {
            calls = Self.scanned(capture.candidates[...])
            return
        }
        calls = [counter]
        var rest = certain.dropFirst()
        if let rules, !certain.contains(where: { $0.kind == .resumption }) {
            let walk = StackWalk(capture, rules)
            rest = join(walk, certain)
            if walk.isWhole { return }
        }
        let gaps = StackGaps(capture, images: images, rules: rules)
        for call in rest.prefix(Self.frameLimit - calls.count) {
            calls += gaps.calls(between: calls, and: call) + [call]
        }
        if calls.count < Self.frameLimit { calls += gaps.calls(behind: calls) }
    }

    /// Appends the calls of a walk and returns the captured frames behind these calls.
    ///
    /// The walk has found more calls than the captured frames.
    private mutating func join(_ walk: StackWalk, _ certain: [Call]) -> ArraySlice<Call> {
        var frames: [Int: Int] = [:]
        var (next, last) = (0, 0)
        for frame in certain.indices.dropFirst() {
            let address = certain[frame].address
            guard let index = walk.addresses[next...].firstIndex(of: address) else { continue }
            frames[index] = frame
            (next, last) = (index + 1, frame)
        }
        calls += walk.addresses.enumerated().map { index, address in
            Call(address: address, kind: .call, frame: frames[index])
        }
        return certain[(last + 1)...]
    }

    static func scanned(_ addresses: ArraySlice<UInt64>) -> [Call] {
        addresses.prefix(gapLimit).map { Call(address: $0, kind: .scanned) }
    }
}

extension CrashStack {
    /// Returns one list of symbols per call, as ``Symbolicator`` does.
    ///
    /// All lists are empty if the symbolicator fails.
    func symbols(from symbolicator: (any Symbolicator)?, images: ImageList) -> [[Symbol]] {
        let frames = calls.map { RawCapture.Frame(address: $0.address, kind: $0.kind.captured) }
        let found = (try? symbolicator?.symbols(of: frames, images: images)) ?? []
        return found.count == calls.count ? found : calls.map { _ in [] }
    }

    /// Returns the symbols, and the stack with suspended callers.
    ///
    /// The suspended callers of the innermost asynchronous function replace the runtime's calls
    /// that resumed this function.
    ///
    /// - Parameters:
    ///   - callers: The possible suspended callers by the index of the frame.
    ///   - symbolicator: The symbolicator that finds the symbols, or nil for no symbols.
    ///   - images: The images of the process.
    /// - Returns: The stack, and one list of symbols per call.
    func symbolicated(
        _ callers: [Int: [UInt64]],
        from symbolicator: (any Symbolicator)?,
        images: ImageList
    ) -> (stack: CrashStack, symbols: [[Symbol]]) {
        let symbols = symbols(from: symbolicator, images: images)
        let known = zip(calls, symbols).map { call, symbols -> [UInt64]? in
            guard symbols.last?.isAsynchronous == true else { return nil }
            return call.frame.flatMap { callers[$0] }
        }
        guard let index = known.firstIndex(where: { $0 != nil }), let found = known[index] else {
            return (self, symbols)
        }
        var suspended = self
        suspended.calls = found.map { Call(address: $0, kind: .resumption) }
        let rest = suspended.symbols(from: symbolicator, images: images)
        suspended.calls = calls[...index] + suspended.calls
        return (suspended, symbols[...index] + rest)
    }

    /// Returns the frames of a report, one per function, including inlined functions.
    func reported(
        _ symbols: [[Symbol]],
        images: ImageList,
        writer: RedactingWriter
    ) -> [ReportedFrame] {
        zip(calls, symbols).flatMap { call, symbols -> [ReportedFrame] in
            guard call != .missing else { return [.missingCallers] }
            let image = images.image(at: call.address)
            let plain = ReportedFrame(
                address: call.address,
                kind: call.kind,
                image: image?.name,
                isSystem: image?.isOfSystem ?? false
            )
            guard !symbols.isEmpty else { return [plain] }
            return symbols.map { symbol in
                var frame = plain
                frame.function = symbol.name
                frame.file = symbol.file.map { writer.text($0) }
                frame.line = symbol.line
                frame.isInlined = symbol.isInlined
                frame.isSystem = symbol.isSystem || symbol.isRuntimeFailure || plain.isSystem
                return frame
            }
        }
    }

    /// Returns the innermost calls.
    func shortened(to limit: Int) -> CrashStack {
        var short = self
        short.calls = Array(calls.prefix(limit))
        return short
    }
}

extension ImageList {
    /// Returns the images that contain the calls of some stacks.
    func reported(for stacks: [CrashStack], writer: RedactingWriter) -> [ReportedImage] {
        images.filter { image in
            stacks.contains { stack in stack.calls.contains { image.contains($0.address) } }
        }
        .map {
            ReportedImage(
                path: writer.text($0.path),
                buildID: $0.buildID,
                start: $0.start,
                end: $0.end
            )
        }
    }
}

extension ReportedFrame {
    fileprivate static var missingCallers: ReportedFrame {
        let call = CrashStack.Call.missing
        var frame = ReportedFrame(address: call.address, kind: call.kind)
        frame.function = CrashStack.Call.missingName
        return frame
    }
}

extension ReportedFrame.Kind {
    fileprivate init(_ kind: RawCapture.FrameKind) {
        switch kind {
        case .counter: self = .counter
        case .returns: self = .call
        case .resumes: self = .resumption
        }
    }

    var captured: RawCapture.FrameKind {
        switch self {
        case .counter: .counter
        case .call, .scanned: .returns
        case .resumption: .resumes
        }
    }
}

extension ImageList {
    /// Whether an address is in a system library without frame pointers, or in no known image.
    func isWithoutFrames(at address: UInt64) -> Bool {
        image(at: address)?.isOfDistribution ?? true
    }
}

extension ImageList.Image {
    private static let distribution = ["/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"]
    private static let runtime = [
        "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime",
    ]

    fileprivate var isOfDistribution: Bool {
        // Swift's own libraries keep frame pointers wherever they are installed.
        Self.distribution.contains { path.hasPrefix($0) } && !isOfRuntime
    }

    private var isOfRuntime: Bool { Self.runtime.contains { name.hasPrefix($0) } }

    fileprivate var isOfSystem: Bool { isOfDistribution || isOfRuntime }
}
