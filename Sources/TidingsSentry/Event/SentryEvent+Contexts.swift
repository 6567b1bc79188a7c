// SPDX-License-Identifier: Apache-2.0
internal import TidingsDiagnostics

extension SentryEvent {
    /// The program, the machine, and the last output of the program.
    var contexts: [JSONValue.Member] {
        [
            ("app", app), ("os", system), ("device", device), ("culture", culture), ("run", run),
            ("standard_error", output),
        ]
        .compactMap { name, value in value.map { JSONValue.Member(name: name, value: $0) } }
    }

    private var app: JSONValue? {
        let version = report.release.split(separator: "@").last.map(String.init) ?? ""
        return context([
            "app_name": contextText(report.application),
            "app_version": contextText(version),
        ])
    }

    private var system: JSONValue? {
        let system = report.machine["system"] ?? ""
        let (name, version) = parts(of: SentryText.line(system, limit: limits.contextText))
        return context([
            "name": .nonEmptyText(name),
            "version": .nonEmptyText(version),
            "kernel_version": report.machine["kernel"].flatMap(contextText),
        ])
    }

    private var device: JSONValue? {
        context(["arch": report.machine["architecture"].flatMap(contextText)])
    }

    private var culture: JSONValue? {
        context(["locale": report.machine["locale"].flatMap(contextText)])
    }

    private var run: JSONValue? {
        context(["session": report.session.flatMap(contextText)])
    }

    private var output: JSONValue? {
        let text = SentryText.end(report.crash?.text ?? "", limit: limits.output)
        return context(["text": .nonEmptyText(text)])
    }

    /// Splits the name of a system from the version, if the last word starts with a digit.
    private func parts(of system: String) -> (name: String, version: String) {
        guard let space = system.lastIndex(of: " "),
            system[space...].dropFirst().first?.isNumber == true
        else { return (system, "") }
        return (String(system[..<space]), String(system[space...].dropFirst()))
    }

    private func contextText(_ text: String) -> JSONValue? {
        .nonEmptyText(SentryText.line(text, limit: limits.contextText))
    }

    private func context(_ value: JSONValue) -> JSONValue? {
        if case .object(let members) = value, members.isEmpty { return nil }
        return value
    }
}
