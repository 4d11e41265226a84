import LinuxIO

/// Packages of PyPI in a folder of `.build`, where `.ci/run` puts them.
struct PythonPackages {
  let folder: String

  init(in name: String) {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    folder = parts.dropLast(3).joined(separator: "/") + "/.build/" + name
  }

  /// What the environment of a program that uses them needs besides our own.
  var variables: [String] { ["PYTHONPATH=\(folder)"] }

  /// A Python that has the module, be it from there or its own.
  func python(with module: String) -> String? {
    ["/usr/bin/python3", "python3"].first { name in
      ChildProgram([name, "-c", "import \(module)"], variables: variables)?.wait() == 0
    }
  }
}
