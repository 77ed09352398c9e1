# Run scripts/run.py with the first Python that is new enough; $PYTHON goes before all.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
for python in "${PYTHON:-}" python3 python3.13 python3.12 python3.11 python; do
  if [ -n "$python" ] &&
    "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
    exec "$python" "$here/run.py" "$@"
  fi
done
echo "Python 3.11, 3.12 or 3.13 is needed, and none was found." >&2
echo "Install one, or name it: PYTHON=/path/to/python3.12 $0" >&2
exit 1
